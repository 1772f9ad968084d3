// The scheduler: who takes the next step?
//
// A thread that is not running stands right before a step whose kind and object
// are known.  A thread that is running asks before each of its own steps:
//
//     step(t):   fuel -= 1
//                fuel < 0 or t can't run:  next = pick(); switch to next
//                record the step, let it take effect
//
// so a step with no switch planned at it costs one decrement.  Fuel is what
// remains of the current item of the Plan's prefix, or, once that is used up,
// what the policy grants: for a random walk, the number of times in a row that
// the running thread would be drawn (policy/random.c).
#include <errno.h>
#include <string.h>

#include "area.h"
#include "rt.h"

enum { STAY_LIMIT = 20000, FAIR_QUANTUM = 50 };
#define FOREVER ((int64_t)1 << 40)

// ---------------------------------------------------------------- events

static void hold_back(int64_t most) {
    if (most < 0)
        most = 0;
    if (TSL_HOT->fuel > most) {
        int64_t held = TSL_HOT->fuel - most;
        RUN->beyond += held;
        RUN->until -= held;
        TSL_HOT->fuel = most;
    }
}

static void append(unsigned kind, uint64_t addr, unsigned res, uint32_t site) {
    tsl_event *event = TSL_HOT->cursor++;
    *event = (tsl_event){.addr = addr & 0xffffffffffffull,
                         .kind = kind,
                         .site = site,
                         .thread = (uint16_t)(TSL_HOT->thread_bits >> 32),
                         .res = (uint16_t)res};
    // It takes room that the fuel was granted for.
    hold_back(RUN->limit - TSL_HOT->cursor);
}

void tslrt_note(unsigned kind, uint64_t addr, unsigned res) { append(kind, addr, res, 0); }

// ---------------------------------------------------------------- fuel

static inline int64_t steps_now(void) { return RUN->until - TSL_HOT->fuel; }

uint64_t tslrt_steps(void) { return (uint64_t)steps_now(); }

// Fuel may outrun neither the room for events nor what is looked at behind a number of steps; what is held back is
// granted later.  `coming` events are decided but not recorded yet.
static void set_fuel(int64_t steps, int64_t fuel, int64_t coming) {
    int64_t room = RUN->limit - TSL_HOT->cursor - coming;
    int64_t most = RUN->ask_at - steps;
    if (most > room)
        most = room;
    if (most < 0)
        most = 0;
    RUN->beyond = fuel > most ? fuel - most : 0;
    fuel -= RUN->beyond;
    TSL_HOT->fuel = fuel;
    RUN->until = steps + fuel;
}

// More steps than RUN->ask_at were taken.
static __attribute__((noinline)) bool is_last_step(void) {
    tslrt_filter_look(steps_now());
    return tslrt_steps() > RUN->plan->max_steps;
}

// Fuel that was only held back is handed out first.
static __attribute__((noinline)) bool is_used_up(void) {
    if (TSL_HOT->fuel != -1) // it is asked for at the first step too many
        tslrt_corrupted();
    if (TSL_HOT->cursor >= RUN->limit || (steps_now() > RUN->ask_at && is_last_step()))
        return true;
    set_fuel(steps_now(), RUN->beyond - 1, 1);
    return false;
}

// After fuel was taken for a step: must the scheduler decide?
static bool must_ask(void) {
    if (TSL_HOT->fuel >= 0)
        return TSL_HOT->cursor >= RUN->limit;
    if (RUN->beyond <= 0 && TSL_HOT->fuel == -1)
        return true; // `pick` looks at the number of steps
    return is_used_up();
}

// The step being decided belongs to the grant.
static void grant(int64_t count) { set_fuel(steps_now(), count - 1, 1); }

// ---------------------------------------------------------------- enabled threads

static void enable(tslrt_fiber *fiber, bool enabled) {
    fiber->enabled = enabled;
    if (enabled) {
        fiber->enabled_at = (int16_t)RUN->nenabled;
        tslrt->enabled[RUN->nenabled++] = fiber->id;
    } else {
        uint16_t last = tslrt->enabled[--RUN->nenabled];
        tslrt->enabled[fiber->enabled_at] = last;
        tslrt_fiber_at(last)->enabled_at = fiber->enabled_at;
        fiber->enabled_at = -1;
    }
    if (RUN->plan->flags & TSL_PLAN_ENABLED)
        tslrt_note(enabled ? TSL_EV_ENABLE : TSL_EV_DISABLE, 0, fiber->id);
}

void tslrt_set_enabled(tslrt_fiber *fiber, bool enabled) {
    if (fiber->enabled == enabled)
        return;
    enable(fiber, enabled);
    if (!RUN->in_tail || !RUN->sampled || (RUN->by_points && !enabled))
        return;
    if (RUN->by_points)
        RUN->enabled_one = true; // the thread may come before whatever is next
    else
        tslrt->picker.stay_of = 0; // fuel was granted for another number of threads
    set_fuel(steps_now(), 0, 0);
}

// The thread stands before a step on the object now that may have to wait, NULL: it runs.
void tslrt_park(const tslrt_fiber *fiber, const void *object) {
    const void **at = &tslrt->parked_at[fiber->place];
    if (*at)
        --*tslrt_parked_near(*at);
    if (object)
        ++*tslrt_parked_near(object);
    *at = object;
}

void tslrt_changed_for_parked(const void *object) {
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        if (tslrt->parked_at[i] != object)
            continue;
        tslrt_fiber *fiber = tslrt_fiber_at(tslrt->fibers[i]);
        if (fiber->pend.object == object && fiber != SELF && fiber->state == FIBER_LIVE)
            tslrt_set_enabled(fiber, tslrt_can_run(fiber));
    }
}

// ---------------------------------------------------------------- picking

static noreturn void diverged(const char *why, unsigned thread) {
    RUN->before_step = true;
    tslrt_end(TSL_OUT_DIVERGED, 0, NULL, "at step %lu (entry %u of the schedule): %s T%u",
              (unsigned long)tslrt_steps(), RUN->item, why, thread);
}

static bool spin_ends(void) { return RUN->plan->flags & TSL_PLAN_SPIN_ENDS; }

static tslrt_fiber *pick_planned(void) {
    const tsl_item *item = &RUN->items[RUN->item];
    tslrt_fiber *fiber = tslrt_fiber_at(item->value % TSL_MAX_THREADS);
    if (item->kind != TSL_ITEM_RUN)
        diverged("the schedule expects a choice of", SELF ? SELF->id : 0);
    if (fiber->state != FIBER_LIVE)
        diverged("the schedule names a thread that is not alive:", item->value);
    if (!fiber->enabled &&
        fiber->pend.kind != TSL_EV_EXIT && // which may come early, if that is asked for
        !tslrt_await_outside(fiber))
        diverged("the schedule runs a thread that is blocked:", item->value);
    uint32_t left = item->count - RUN->item_done;
    if (RUN->nawaiting && !spin_ends() && left > 1) { // who may go on is looked at after each step
        RUN->item_done++;
        grant(1);
        return fiber;
    }
    RUN->item++;
    RUN->item_done = 0;
    grant(left);
    return fiber;
}

static bool is_asleep(unsigned id) { return RUN->nsleeping && tslrt_fiber_at(id)->sleeps_before; }

// The next enabled number after `id`, in a circle.
static tslrt_fiber *next_in_circle(unsigned id) {
    unsigned best = TSL_MAX_THREADS, lowest = TSL_MAX_THREADS;
    for (unsigned i = 0; i < RUN->nenabled; i++) {
        unsigned e = tslrt->enabled[i];
        if (is_asleep(e))
            continue;
        if (e > id && e < best)
            best = e;
        if (e < lowest)
            lowest = e;
    }
    return tslrt_fiber_at(best < TSL_MAX_THREADS ? best : lowest);
}

static bool is_through(const tslrt_fiber *fiber) {
    return fiber->state == FIBER_ENDED ||
           (fiber->state == FIBER_LIVE && fiber->pend.kind == TSL_EV_END);
}

// The first that can go on, of one group if `group` is not negative.
static const tsl_turn *scan(const tsl_turn *from, const tsl_turn *to, int group) {
    for (const tsl_turn *turn = from; turn < to; turn++) {
        const tslrt_fiber *fiber = tslrt_fiber_at(turn->thread % TSL_MAX_THREADS);
        if (group >= 0 && turn->group != group)
            return NULL;
        if (fiber->enabled && fiber->state == FIBER_LIVE && fiber->pend.kind != TSL_EV_END &&
            !is_asleep(fiber->id))
            return turn;
    }
    return NULL;
}

// Ends come last of all: what only ends and joins are left of need not be looked at.
static tslrt_fiber *next_in_order(unsigned id) {
    const tsl_turn *end = RUN->order_end, *self = RUN->turn, *next;
    while (RUN->order < end && is_through(tslrt_fiber_at(RUN->order->thread % TSL_MAX_THREADS)))
        RUN->order++;
    if (!self || self->thread != id)
        for (self = RUN->order; self < end && self->thread != id;)
            self++;
    next = scan(RUN->order, end, -1);
    if (next && self < end && self->group == next->group) {
        const tsl_turn *behind = scan(self + 1, end, self->group);
        next = behind ? behind : next;
    }
    RUN->turn = next;
    if (next)
        return tslrt_fiber_at(next->thread % TSL_MAX_THREADS);
    // Whoever is at its end: the last one first, so that who joins them need not wait again.
    bool any = RUN->plan->norder && !RUN->nsleeping;
    return any ? tslrt_fiber_at(tslrt->enabled[RUN->nenabled - 1]) : next_in_circle(id);
}

// Before END is scheduled: others may come first.
void tslrt_ends(void) {
    if (RUN->in_tail && RUN->order < RUN->order_end)
        set_fuel(steps_now(), 0, 0);
}

// A run that may not be long lets the others have a turn sooner.
static uint32_t stay_limit(void) {
    uint64_t share = RUN->plan->max_steps / 16;
    return share >= STAY_LIMIT ? STAY_LIMIT : share < 4 ? 4 : (uint32_t)share;
}

// Who was just created, for its first step, and then its parent again.
static tslrt_fiber *pick_eager(void) {
    tslrt_fiber *fiber = RUN->newborn ? RUN->newborn : RUN->parent;
    bool starts = fiber == RUN->newborn;
    if (!starts)
        RUN->parent = NULL;
    RUN->newborn = NULL;
    if (!fiber->enabled || is_asleep(fiber->id))
        return NULL;
    grant(starts ? 1 : stay_limit() / 4);
    return fiber;
}

static tslrt_fiber *pick_stay(void) {
    tslrt_fiber *self = SELF;
    uint32_t limit = stay_limit();
    tslrt_fiber *eager = RUN->newborn || RUN->parent ? pick_eager() : NULL;
    if (eager)
        return eager;
    bool turns = RUN->policy_yield || RUN->stay_count >= limit; // give all the others theirs
    bool ends = self->pend.kind == TSL_EV_END && RUN->order < RUN->order_end;
    if (turns || ends || !self->enabled || is_asleep(self->id)) {
        RUN->policy_yield = false;
        RUN->stay_count = 0;
        self = turns ? next_in_circle(self->id) : next_in_order(self->id);
    }
    // Endless loops of one thread must not keep the others from ending the run.
    uint32_t steps = RUN->nawaiting && !spin_ends() ? 1 : limit / 4;
    RUN->stay_count += steps;
    grant(steps);
    return self;
}

static void put_enabled(unsigned at, uint16_t id) {
    tslrt->enabled[at] = id;
    tslrt_fiber_at(id)->enabled_at = (int16_t)at;
}

// Samplers are given the first ones of the enabled threads.
static void put_awake_first(void) {
    unsigned awake = 0;
    for (unsigned i = 0; i < RUN->nenabled; i++) {
        uint16_t id = tslrt->enabled[i];
        if (is_asleep(id))
            continue;
        put_enabled(i, tslrt->enabled[awake]);
        put_enabled(awake++, id);
    }
}

static unsigned count_awake(void) {
    unsigned awake = 0;
    for (unsigned i = 0; i < RUN->nenabled; i++)
        awake += !is_asleep(tslrt->enabled[i]);
    if (awake == 0) {
        RUN->before_step = true;
        tslrt_end(TSL_OUT_REDUNDANT, 0, NULL, "every thread that could run sleeps");
    }
    return awake;
}

static void begin_tail(void) {
    if (RUN->plan->nsleep)
        tslrt_sleep_begin();
    RUN->in_tail = true;
    RUN->by_points = RUN->sampled && (RUN->plan->flags & TSL_PLAN_POINTS);
    if (RUN->by_points)
        tslrt_recording_update();
}

// After so many steps the policy must be asked again.
static int64_t steps_of_sample(uint32_t limit) {
    tsl_picker *p = &tslrt->picker;
    if (RUN->by_points)
        return limit;
    if (RUN->nsleeping || (RUN->nawaiting && !spin_ends())) // any step may let threads go on
        return 1;
    int64_t stay = p->stay_of == 1 ? FOREVER : p->stay;
    p->stay = 0;
    return 1 + stay;
}

static tslrt_fiber *pick_sampled(unsigned n) {
    uint32_t limit = stay_limit();
    tslrt_fiber *fiber = tslrt_sample_pick(n, limit);
    grant(steps_of_sample(limit));
    return fiber;
}

static tslrt_fiber *pick_by_policy(void) {
    if (!RUN->in_tail)
        begin_tail();
    unsigned n = RUN->nenabled;
    if (__builtin_expect(RUN->nsleeping != 0, 0)) {
        tslrt_sleep_update();
        n = count_awake();
        if (RUN->sampled)
            put_awake_first();
    }
    if (RUN->sampled)
        return pick_sampled(n);
    if (RUN->plan->policy != TSL_POLICY_FAIR)
        return pick_stay();
    grant(FAIR_QUANTUM);
    return next_in_circle(SELF->id);
}

// Who may leave, when several stand before EXIT, is part of the schedule.
// Leaving main ends the process while others run.  What they can still show is
// shown when that comes as late as possible.
static bool let_exit(void) {
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        tslrt_fiber *fiber = tslrt_fiber_at(tslrt->fibers[i]);
        if (fiber->state == FIBER_LIVE && fiber->pend.kind == TSL_EV_EXIT)
            tslrt_set_enabled(fiber, true);
    }
    return RUN->nenabled > 0;
}

// The plan asks for no more than its steps, whatever comes behind them: a race may be right before a deadlock.
static void end_if_asked(void) {
    if (!(RUN->plan->flags & TSL_PLAN_STOP) || RUN->item < RUN->plan->nitems)
        return;
    RUN->before_step = true;
    tslrt_end(TSL_OUT_STOPPED, SELF->pend.site, NULL, "the schedule ends here");
}

// Plain stores to an object wake nobody, but whoever comes later finds what they left.
static void tell_overwritten(void) {
    for (unsigned i = 0; i < RUN->nfibers; i++) {
        const tslrt_fiber *f = tslrt_fiber_at(tslrt->fibers[i]);
        if (f->state == FIBER_LIVE && tsl_is_lock(f->pend.kind) && !f->enabled && tslrt_can_run(f))
            tslrt_weaken(TSL_REASON_UNCONTROLLED,
                         "a lock was overwritten while a thread waited for it: that it comes only "
                         "behind that may not have been tried");
    }
}

static void nobody_can_run(void) {
    end_if_asked();
    RUN->before_step = true;
    if (RUN->nlive == 0)
        tslrt_end(TSL_OUT_OK, 0, NULL, "all threads ended");
    if (RUN->rejected)
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
    tslrt_fiber *about = NULL;
    for (unsigned i = 0; i < RUN->nfibers && !about; i++) {
        about = tslrt_fiber_at(tslrt->fibers[i]);
        if (about->state != FIBER_LIVE)
            about = NULL;
    }
    tslrt_end(TSL_OUT_DEADLOCK, about ? about->pend.site : 0, about ? about->pend.object : NULL,
              "%u thread%s wait%s for ever", RUN->nlive, RUN->nlive == 1 ? "" : "s",
              RUN->nlive == 1 ? "s" : "");
}

// The hot words lie where a program that writes everywhere comes by first.
static bool is_sane(void) {
    return TSL_HOT->cursor >= RUN->first && TSL_HOT->cursor <= RUN->limit + TSLRT_EVENTS_ROOM &&
           TSL_HOT->recording <= TSL_RECORD_SOME;
}

static noreturn void too_long(void) {
    RUN->flags |= TSL_TRACE_CUT;
    tslrt_end_if_stuck(true);
    tslrt_end(TSL_OUT_STEP_LIMIT, SELF->pend.site, NULL, "%lu steps and no end",
              (unsigned long)tslrt_steps() - 1);
}

void tslrt_free_step(unsigned kind, uint64_t addr, unsigned res, uint32_t site) {
    if (TSL_HOT->cursor >= RUN->limit && tslrt_watched()) {
        RUN->flags |= TSL_TRACE_CUT;
        tslrt_end(TSL_OUT_STEP_LIMIT, site, NULL, "%lu steps and no end",
                  (unsigned long)tslrt_steps());
    }
    append(kind, addr, res, site);
}

// Threads whose loops changed nothing: can they go on?
static void look_at_awaiting(void) {
    if (!spin_ends())
        tslrt_await_update();
    else if (RUN->nenabled == 0 && tslrt_await_any_over() && !tslrt_await_unexplained()) {
        end_if_asked();
        RUN->before_step = true;
        tslrt_end(TSL_OUT_SPUN, 0, NULL, "a thread that spun would go on; seen in another run");
    }
}

static __attribute__((noinline)) void look_at_limits(void) {
    if (!is_last_step() && TSL_HOT->cursor < RUN->limit)
        return;
    RUN->before_step = tslrt_watched();
    if (RUN->before_step)
        too_long();
    TSL_HOT->cursor = RUN->first; // nobody reads it
}

static tslrt_fiber *pick(void) {
    if (!is_sane())
        tslrt_corrupted();
    if (steps_now() > RUN->ask_at || TSL_HOT->cursor >= RUN->limit)
        look_at_limits();
    if (RUN->nawaiting)
        look_at_awaiting();
    if (RUN->nenabled == 0 && !let_exit() && !tslrt_await_outside(NULL))
        nobody_can_run();
    if (RUN->item < RUN->plan->nitems)
        return pick_planned();
    if (__builtin_expect(RUN->plan->flags & TSL_PLAN_STOP, 0))
        end_if_asked();
    return pick_by_policy();
}

// The next thread runs now: what of its steps is recorded, and until when?
static __attribute__((noinline)) void switch_unevenly(tslrt_fiber *self, const tslrt_fiber *next) {
    tslrt_filter_look(RUN->switched_at);
    if (tslrt->swaps_floating) {
        fegetenv(&self->floating);
        fesetenv(&next->floating);
    }
    hold_back(RUN->ask_at - RUN->switched_at);
    if (RUN->has_async || self->exclusive || next->exclusive || self->filter || next->filter)
        tslrt_recording_update();
    tslrt_switch(&self->sp, next->sp);
}

static void switch_to(tslrt_fiber *next) {
    tslrt_fiber *self = SELF;
    if (!tsl_never_blocks(self->pend.kind)) // nobody can enable what is never disabled
        tslrt_park(self, self->pend.object);
    if (tslrt->parked_at[next->place])
        tslrt_park(next, NULL);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    self->low_mark = TSL_HOT->low_stack < here ? TSL_HOT->low_stack : here;
    RUN->self = next;
    TSL_HOT->thread_bits = (uint64_t)next->id << 32;
    TSL_HOT->low_stack = next->low_mark;
    self->effect_at = TSL_HOT->effect_at;
    TSL_HOT->effect_at = next->effect_at;
    if (TSL_HOT->loops)
        TSL_HOT->loops = tslrt_loops_of(next->id);
    if (tslrt->area.used)
        tslrt_area_enter(next->area);
    else {
        self->saved_errno = *tslrt->errno_at;
        *tslrt->errno_at = next->saved_errno;
    }
    // The step that was decided is the next thread's, and not the one that this thread stands before.
    int64_t now = steps_now();
    self->own_steps += now - RUN->switched_at;
    RUN->switched_at = now;
    if (__builtin_expect(RUN->uneven, 0))
        switch_unevenly(self, next);
    else
        tslrt_switch(&self->sp, next->sp);
}

// The running thread stands before its pending step.  Returns when it was picked.
static void wait_for_turn(void) {
    tslrt_fiber *self = SELF;
    bool can_run = tslrt_can_run(self);
    bool planned = !RUN->in_tail && TSL_HOT->fuel >= 0; // to run on without a switch
    // Alone with what comes from outside, it waits right here, so that it does not show how long that took.
    bool alone = RUN->nenabled == self->enabled && !RUN->exiting;
    if (!can_run && (planned || alone) && self->pend.kind != TSL_EV_EXIT)
        can_run = tslrt_await_outside(self) && tslrt_can_run(self);
    if (!can_run && planned && self->pend.kind != TSL_EV_EXIT)
        diverged("the schedule runs a thread that is blocked:", self->id);
    if (self->enabled != can_run)
        enable(self, can_run);
    if (!can_run && planned) // EXIT: whoever stands before it may be the one
        return;
    tslrt_fiber *next = pick();
    if (next != self)
        switch_to(next);
}

// Being picked may mean that something sent to the thread arrives first: that is
// then the step, and the pending one waits for another turn.
static void arrive(tslrt_fiber *self) {
    while (__builtin_expect(self->signals != 0, 0) && !tslrt_can_return(self, self->pend.kind) &&
           self->pend.kind != TSL_EV_AWAIT && self->pend.kind != TSL_EV_EXIT) {
        tslrt_interrupt();
        TSL_HOT->fuel--;
        if (must_ask() || !tslrt_can_run(self))
            wait_for_turn();
    }
    if (__builtin_expect(self->cancel_asked, 0))
        tslrt_cancel_now();
}

static void schedule(void) {
    tslrt_fiber *self = SELF;
    wait_for_turn();
    arrive(self);
}

// Before an access at a preemption point of a sample: it can't block, and mostly there is nothing to be
// looked at but the rules.
static void schedule_access(void) {
    tslrt_fiber *self = SELF;
    if (RUN->nawaiting || RUN->nsleeping || !self->enabled || RUN->plan->flags & TSL_PLAN_STOP) {
        schedule();
        return;
    }
    tsl_picker *p = &tslrt->picker;
    if (p->stay > 0 && p->stay_of == RUN->nenabled && !RUN->policy_yield &&
        RUN->stay_count < stay_limit()) {
        p->stay--;
        RUN->stay_count++;
    } else {
        tslrt_fiber *next = pick_sampled(RUN->nenabled);
        if (next != self)
            switch_to(next);
    }
    if (__builtin_expect(self->signals || self->cancel_asked, 0))
        arrive(self);
}

void tslrt_block(unsigned kind, const void *object, uint32_t site) {
    if (__builtin_expect(SELF->exclusive, 0))
        tslrt_exclusive_close();
    if (__builtin_expect(tslrt->sends, 0))
        tslrt_interrupt_waits(kind);
    SELF->pend = (pending){.kind = (uint8_t)kind, .site = site, .object = object};
    TSL_HOT->fuel--;
    if (must_ask() || RUN->by_points || !tslrt_can_run(SELF))
        schedule();
    else if (__builtin_expect(SELF->signals != 0, 0))
        arrive(SELF);
}

void tslrt_op_sized(unsigned kind, const void *object, unsigned size_code) {
    tslrt_fiber *self = SELF;
    if (__builtin_expect(self->exclusive, 0) && tslrt_exclusive_takes(kind, object, size_code))
        return;
    bool sends = __builtin_expect(tslrt->sends, 0);
    if (sends) {
        tslrt_interrupt_look(kind);
        tslrt_interrupt_waits(kind);
    }
    uint32_t site = tslrt_take_site();
    self->pend = (pending){
        .kind = (uint8_t)kind, .size = (uint8_t)size_code, .site = site, .object = object};
    self->sync_epoch++;
    TSL_HOT->fuel--;
    if (must_ask() || RUN->by_points || (!tsl_never_blocks(kind) && !tslrt_can_run(self)))
        schedule();
    else if (__builtin_expect(self->signals != 0, 0))
        arrive(self);
    // TESTCANCEL is a look itself, also when the request strikes before it (tslrt_cancel_now).
    bool looks = self->cancel_async && kind != TSL_EV_TESTCANCEL;
    tslrt_record(sends ? tslrt_interrupt_kind(kind) : kind, object, site);
    TSL_HOT->cursor[-1].arg = (uint8_t)(size_code | (looks ? tslrt_looks() : 0));
    if (sends)
        tslrt_interrupt_seen(kind);
}

void tslrt_op(unsigned kind, const void *object) { tslrt_op_sized(kind, object, 0); }

// A choice belongs to the step just taken, so in a prefix it follows the last
// step of a RUN item.
unsigned tslrt_choose(unsigned n) {
    unsigned taken = 0;
    bool planned = RUN->item < RUN->plan->nitems;
    const tsl_item *item = &RUN->items[RUN->item];
    if (planned && TSL_HOT->fuel <= 0 && item->kind == TSL_ITEM_CHOICE) {
        if (item->value >= n) // in the middle of a step
            tslrt_end(TSL_OUT_DIVERGED, 0, NULL,
                      "at step %lu (entry %u of the schedule): it takes alternative %u of %u",
                      (unsigned long)tslrt_steps(), RUN->item, item->value, n);
        taken = item->value;
        RUN->item++;
    } else if (!planned && RUN->sampled)
        taken = tslrt_sample_choice(n);
    tslrt_note(TSL_EV_CHOICE, n, taken);
    return taken;
}

// The running thread has ended: it takes no further step.
void tslrt_leave(void) {
    TSL_HOT->fuel--;
    must_ask();
    schedule();
}

// Sleeping and yielding hand over, except in a prefix; a thread that only polls
// while the process wants to end counts as blocked.
void tslrt_yielded(void) {
    tslrt_fiber *self = SELF;
    if (RUN->exiting && ++self->idle > 2)
        tslrt_block(TSL_EV_PAUSE, NULL, self->pend.site);
    bool walks = RUN->plan->policy == TSL_POLICY_RANDOM; // comes to the others anyway
    if (RUN->in_tail && !walks && RUN->nenabled > 1) {
        RUN->policy_yield = true;
        set_fuel(steps_now(), 0, 0);
    }
}

void tslrt_created(tslrt_fiber *fiber) {
    tslrt_set_enabled(fiber, true);
    tslrt_sample_created(fiber);
    if (!RUN->in_tail || RUN->plan->policy != TSL_POLICY_EAGER)
        return;
    RUN->newborn = fiber;
    RUN->parent = SELF;
    set_fuel(steps_now(), 0, 0);
}

// ---------------------------------------------------------------- accesses

void tslrt_recording_update(void) {
    // Counting the unjoined makes this the same in all equivalent runs: the last join comes
    // after everything.  When a thread nobody joins has ended may differ between them.
    bool alone = RUN->unjoined <= 1;
    const tslrt_fiber *self = SELF;
    bool some = RUN->by_points || (self && (self->filter || self->exclusive)) ||
                (RUN->has_async && (tslrt_looks() || tslrt_interruptible(self)));
    TSL_HOT->recording = alone ? TSL_RECORD_NOTHING : some ? TSL_RECORD_SOME : TSL_RECORD_ALL;
    tslrt_loops_update();
}

TSL_SLOW void __teasel_step_slow(void *p, uint32_t site, uint32_t kind, uint64_t size) {
    unsigned code = size == 16 ? 4 : size == 8 ? 3 : (unsigned)size >> 1;
    SELF->pend = (pending){.kind = (uint8_t)kind, .size = (uint8_t)code, .site = site, .object = p};
    if (must_ask())
        schedule();
}

TSL_SLOW void __teasel_some_slow(void *p, uint32_t site, uint32_t kind_arg, uint64_t size) {
    unsigned kind = kind_arg & 0xff;
    uintptr_t a = (uintptr_t)p;
    if (SELF->exclusive) {
        tslrt_exclusive_access(p, site, kind, size);
        return;
    }
    if (SELF->filter && tsl_is_plain(kind) && tslrt_filter_takes(a, kind, size)) {
        tslrt_heap_check(a, size, site, kind);
        return;
    }
    if (__builtin_expect(tslrt->sends, 0))
        tslrt_interrupt_look(kind);
    SELF->pend = (pending){
        .kind = (uint8_t)kind, .size = (uint8_t)(kind_arg >> 8 & 15), .site = site, .object = p};
    if ((--TSL_HOT->fuel < 0 || TSL_HOT->cursor >= RUN->limit) && must_ask())
        schedule();
    else if (RUN->by_points && (tslrt_is_point(kind, site) || SELF->cancel_async))
        schedule_access();
    tslrt_heap_check(a, size, site, kind);
    tslrt_record(kind, p, site);
    TSL_HOT->cursor[-1].arg = (uint8_t)(kind_arg >> 8 | (SELF->cancel_async ? tslrt_looks() : 0));
    if (tsl_result_is_mark(kind))
        TSL_HOT->cursor[-1].res = tsl_mark_at(p, size);
}

// A range access in two halves: the step is decided, then its length may be
// measured (strlen), then it is recorded (access.c).
bool tslrt_range_asks(unsigned kind, const void *p, uint32_t site) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING || SELF->exclusive)
        return false;
    if (__builtin_expect(tslrt->sends, 0))
        tslrt_interrupt_look(kind);
    SELF->pend = (pending){.kind = (uint8_t)kind, .size = TSL_ARG_RANGE, .site = site, .object = p};
    TSL_HOT->fuel--;
    return must_ask() || (RUN->by_points && tslrt_is_point(kind, site));
}

void tslrt_range_turn(void) { schedule(); }

void tslrt_range_begin(unsigned kind, const void *p, uint32_t site) {
    if (tslrt_range_asks(kind, p, site))
        schedule();
}

// The first thread stands before its first step.  Decided on its own stack, because a run
// may end there.
void tslrt_first_pick(void) { pick(); }

// The loop that starts runs hands over to the first thread.
void tslrt_first_fiber(void) {
    tslrt_fiber *main_fiber = tslrt_fiber_at(0);
    RUN->self = main_fiber;
    TSL_HOT->thread_bits = 0;
    TSL_HOT->fuel = -1;
    RUN->until = 0;
    RUN->switched_at = 1; // the step that is decided first
    tslrt_filter_begin();
    tslrt_set_enabled(main_fiber, true);
    TSL_HOT->low_stack = main_fiber->low_mark;
    *tslrt->errno_at = 0;
    if (tslrt->swaps_floating)
        fesetenv(FE_DFL_ENV);
    tslrt_switch(&tslrt->loop_sp, main_fiber->sp);
}
