// Sleep sets: threads whose next step was explored before are not scheduled until
// something happens that matters to that step.
//
//     before the prefix's last step:  threads of the Plan's sleep set sleep, each before a known step
//     another step conflicts with it: the thread wakes (abi/conflict.h)
//     all enabled threads sleep:      the run is redundant: all that may follow was explored
//
// The tool may not know the last step of the prefix yet, so the threads that this step wakes are
// found here.  Nothing is done while steps are taken: when a thread must be picked, the events
// recorded since the last time are read.
// After Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996.
#include "sleep.h"
#include "notes.h"
#include "state.h"

static bool is_step(const tsl_event *e) { return !tsl_is_note(e->kind); }

static bool is_access(const tsl_event *e) { return is_step(e) || e->kind == TSL_EV_ALSO; }

// The end of the step at `e`, after its notes.
static const tsl_event *end_of(const tsl_event *e, const tsl_event *end) {
    for (e++; e < end && !is_step(e);)
        e++;
    return e;
}

static const tsl_event *plan_end(void) { return RUN->sleep.set + RUN->plan->nsleep; }

// A step with more accesses than the tool keeps counts as a write of everything.
static bool is_opaque(const tsl_event *step, const tsl_event *end) {
    unsigned accesses = 0;
    if (end - step <= TSL_OP_ACCESSES) // as nearly always
        return false;
    for (const tsl_event *e = step; e < end; e++)
        accesses += is_access(e) && tslrt_access_of(e, end).space != TSL_SPACE_NONE;
    return accesses > TSL_OP_ACCESSES;
}

static bool touches(const tsl_event *step, const tsl_event *end) {
    for (const tsl_event *e = step; e < end; e++)
        if (is_access(e) && tslrt_access_of(e, end).space != TSL_SPACE_NONE)
            return true;
    return false;
}

static bool is_conflict(const tslrt_fiber *sleeper, const tsl_event *step, const tsl_event *end) {
    const tsl_event *mine = sleeper->sleep.before, *mine_end = end_of(mine, plan_end());
    if ((is_opaque(step, end) && touches(mine, mine_end)) ||
        (is_opaque(mine, mine_end) && touches(step, end)))
        return true;
    bool looks = step->arg & TSL_ARG_LOOKS;
    tsl_access look = {0};
    if (looks)
        look = tsl_request_access(step->thread, TSL_REQUEST_NONE);
    for (const tsl_event *a = mine; a < mine_end; a++) {
        if (!is_access(a))
            continue;
        tsl_access first = tslrt_access_of(a, mine_end);
        if (looks && tsl_access_conflict(&first, &look))
            return true;
        if (a == mine && a->kind == TSL_EV_BARRIER_ARRIVE)
            first.res -= sleeper->sleep.arrived;
        for (const tsl_event *b = step; b < end; b++) {
            tsl_access second;
            if (is_access(b) &&
                (second = tslrt_access_of(b, end), tsl_access_conflict(&first, &second)))
                return true;
        }
    }
    return false;
}

static void meet(tslrt_fiber *sleeper, const tsl_event *step, const tsl_event *end) {
    const tsl_event *mine = sleeper->sleep.before;
    if (is_conflict(sleeper, step, end)) {
        sleeper->sleep.before = NULL;
        RUN->count.asleep--;
    } else if (step->kind == TSL_EV_BARRIER_ARRIVE && mine->kind == TSL_EV_BARRIER_ARRIVE &&
               step->addr == mine->addr)
        sleeper->sleep.arrived++; // when the sleeper arrives, one thread less will be missing
}

// The last step that was scheduled; branches are not.
static const tsl_event *last_step(void) {
    const tsl_event *e = TSL_HOT->cursor;
    while (e > RUN->trace.first && (!is_step(--e) || e->kind == TSL_EV_BRANCH))
        ;
    return e;
}

void tslrt_sleep_begin(void) {
    const tsl_event *end = plan_end(), *last = last_step();
    bool any = RUN->plan->nitems > 0;
    RUN->sleep.checked = any ? last : TSL_HOT->cursor;
    for (const tsl_event *e = RUN->sleep.set; e < end; e++) {
        tslrt_fiber *fiber = tslrt_fiber_at(e->thread % TSL_MAX_THREADS);
        if (!is_step(e) || fiber->state != FIBER_LIVE || fiber->sleep.before)
            continue;
        if (any && fiber->id == last->thread)
            continue; // the thread has taken its step
        fiber->sleep.before = e;
        fiber->sleep.arrived = 0;
        RUN->count.asleep++;
    }
}

void tslrt_sleep_update(void) {
    const tsl_event *end = TSL_HOT->cursor;
    for (const tsl_event *e = RUN->sleep.checked, *next; e < end && RUN->count.asleep; e = next) {
        next = end_of(e, end);
        if (!is_step(e)) // notes of what was checked before
            continue;
        for (unsigned i = 0; i < RUN->count.fibers; i++) {
            tslrt_fiber *fiber = tslrt_fiber_at(tslrt->threads.fibers[i]);
            if (fiber->sleep.before && fiber->id != e->thread)
                meet(fiber, e, next);
        }
    }
    RUN->sleep.checked = TSL_HOT->cursor;
}
