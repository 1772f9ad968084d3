// Does the run end here?  And may the running thread go on?
//
//     the Plan asks for no more steps    stopped
//     too many steps                     step limit
//     no thread can run                  all have ended: ok.  Else an assumption does not hold, the
//                                        run waits for the world outside, or it is a deadlock
#include "stop.h"

#include "await.h"
#include "fuel.h"

// ---------------------------------------------------------------- fuel is used up

uint64_t tslrt_steps(void) { return (uint64_t)fuel_steps(); }

// More steps than RUN->fuel.ask_at were taken.
static bool is_last_step(void) {
    tslrt_filter_look(fuel_steps());
    return tslrt_steps() > RUN->plan->max_steps;
}

bool fuel_is_used_up(void) {
    if (TSL_HOT->fuel != -1) // it is asked for at the first step too many
        tslrt_corrupted();
    if (TSL_HOT->cursor >= RUN->trace.limit || (fuel_steps() > RUN->fuel.ask_at && is_last_step()))
        return true;
    fuel_set(fuel_steps(), RUN->fuel.beyond - 1, 1);
    return false;
}

// ---------------------------------------------------------------- ends

// The plan asks for no more than its steps, whatever comes behind them: a race may be right before
// a deadlock.
void tslrt_stop_if_asked(void) {
    if (!(RUN->plan->flags & TSL_PLAN_STOP) || RUN->prefix.item < RUN->plan->nitems)
        return;
    RUN->end.before_step = true;
    tslrt_end(TSL_OUT_STOPPED, SELF->pend.site, NULL, "the schedule ends here");
}

// Plain stores to an object wake nobody, but whoever comes later finds what they left.
static void tell_overwritten(void) {
    for (const tslrt_fiber *f = NULL; (f = tslrt_next_live(f));)
        if (tsl_is_lock(f->pend.kind) && !f->enabled && tslrt_can_run(f))
            tslrt_weaken(TSL_REASON_UNCONTROLLED,
                         "a lock was overwritten while a thread waited for it: that it comes only "
                         "behind that may not have been tried");
}

noreturn void tslrt_stop_blocked(void) {
    tslrt_stop_if_asked();
    RUN->end.before_step = true;
    if (RUN->count.live == 0)
        tslrt_end(TSL_OUT_OK, 0, NULL, "all threads ended");
    if (RUN->inputs.rejected)
        tslrt_end(TSL_OUT_REJECTED, 0, NULL, "an assumption does not hold");
    if (tslrt_waits_for_process())
        tslrt_give_up(SELF->pend.site, "a thread waits for an object that it shares with another "
                                       "process: processes are not run together");
    if (tslrt_waits_for_client())
        tslrt_give_up(SELF->pend.site,
                      "a thread waits for another computer, or for somebody who connects from "
                      "outside; let a thread of the program do that");
    tell_overwritten();
    if (!tslrt_find_stuck(false)) // if so the others spin because of these
        tslrt_end_if_spinning();
    const tslrt_fiber *about = tslrt_next_live(NULL);
    tslrt_end(TSL_OUT_DEADLOCK, about ? about->pend.site : 0, about ? about->pend.object : NULL,
              "%u thread%s wait%s for ever", RUN->count.live, RUN->count.live == 1 ? "" : "s",
              RUN->count.live == 1 ? "s" : "");
}

static noreturn void too_long(void) {
    RUN->trace.flags |= TSL_TRACE_CUT;
    tslrt_end_if_stuck(true);
    tslrt_end(TSL_OUT_STEP_LIMIT, SELF->pend.site, NULL, "%lu steps and no end",
              (unsigned long)tslrt_steps() - 1);
}

// Threads whose loops changed nothing: can they go on?
void tslrt_stop_if_spun(void) {
    if (!tslrt_spin_ends())
        tslrt_await_update();
    else if (RUN->count.enabled == 0 && tslrt_await_any_over() && !tslrt_await_unexplained()) {
        tslrt_stop_if_asked();
        RUN->end.before_step = true;
        tslrt_end(TSL_OUT_SPUN, 0, NULL, "a thread that spun would go on; seen in another run");
    }
}

void tslrt_stop_at_limits(void) {
    if (!is_last_step() && TSL_HOT->cursor < RUN->trace.limit)
        return;
    RUN->end.before_step = tslrt_watched();
    if (RUN->end.before_step)
        too_long();
    TSL_HOT->cursor = RUN->trace.first; // nobody reads it
}
