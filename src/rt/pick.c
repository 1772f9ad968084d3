// Which thread takes the next step?
//
//     in the prefix of the Plan    the thread that its next item names
//     behind it                    the one that the policy picks: a sampler, threads in a circle
//                                  (fair), or the running thread as long as it can go on (stay),
//                                  and then the next one of the order that the Plan gives
//
// Threads of the sleep set are left out.
#include "pick.h"

#include "await.h"
#include "fuel.h"
#include "stop.h"

enum { STAY_LIMIT = 20000, FAIR_QUANTUM = 50 };

// A run that may not be long lets the others have a turn sooner.
void tslrt_policy_begin(void) {
    uint64_t share = RUN->plan->max_steps / 16;
    RUN->policy.stay_limit = share >= STAY_LIMIT ? STAY_LIMIT : share < 4 ? 4 : (uint32_t)share;
    tslrt_sample_begin();
}

// ---------------------------------------------------------------- the prefix

noreturn void tslrt_diverged(const char *why, unsigned thread) {
    RUN->end.before_step = true;
    tslrt_end(TSL_OUT_DIVERGED, 0, NULL, "at step %lu (entry %u of the schedule): %s T%u",
              (unsigned long)tslrt_steps(), RUN->prefix.item, why, thread);
}

static tslrt_fiber *pick_planned(void) {
    const tsl_item *item = &RUN->prefix.items[RUN->prefix.item];
    tslrt_fiber *fiber = tslrt_fiber_at(item->value % TSL_MAX_THREADS);
    if (item->kind != TSL_ITEM_RUN)
        tslrt_diverged("the schedule expects a choice of", SELF ? SELF->id : 0);
    if (fiber->state != FIBER_LIVE)
        tslrt_diverged("the schedule names a thread that is not alive:", item->value);
    if (!fiber->enabled &&
        fiber->pend.kind != TSL_EV_EXIT && // which may come early, if that is asked for
        !tslrt_await_outside(fiber))
        tslrt_diverged("the schedule runs a thread that is blocked:", item->value);
    uint32_t left = item->count - RUN->prefix.done;
    if (RUN->count.awaiting && !tslrt_spin_ends() &&
        left > 1) { // who may go on is looked at after each step
        RUN->prefix.done++;
        fuel_grant(1);
        return fiber;
    }
    RUN->prefix.item++;
    RUN->prefix.done = 0;
    fuel_grant(left);
    return fiber;
}

// ---------------------------------------------------------------- next in a circle, or in an order

static bool is_asleep(unsigned id) { return RUN->count.asleep && tslrt_fiber_at(id)->sleep.before; }

// The next enabled number after `id`, in a circle.
static tslrt_fiber *next_in_circle(unsigned id) {
    unsigned best = TSL_MAX_THREADS, lowest = TSL_MAX_THREADS;
    for (unsigned i = 0; i < RUN->count.enabled; i++) {
        unsigned e = tslrt->threads.enabled[i];
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
    const tsl_turn *end = RUN->order.end, *self = RUN->order.turn, *next;
    while (RUN->order.next < end &&
           is_through(tslrt_fiber_at(RUN->order.next->thread % TSL_MAX_THREADS)))
        RUN->order.next++;
    if (!self || self->thread != id)
        for (self = RUN->order.next; self < end && self->thread != id;)
            self++;
    next = scan(RUN->order.next, end, -1);
    if (next && self < end && self->group == next->group) {
        const tsl_turn *behind = scan(self + 1, end, self->group);
        next = behind ? behind : next;
    }
    RUN->order.turn = next;
    if (next)
        return tslrt_fiber_at(next->thread % TSL_MAX_THREADS);
    // Whoever is at its end: the last one first, so that who joins them need not wait again.
    bool any = RUN->plan->norder && !RUN->count.asleep;
    return any ? tslrt_fiber_at(tslrt->threads.enabled[RUN->count.enabled - 1])
               : next_in_circle(id);
}

// Before END is scheduled: others may come first.
void tslrt_ends(void) {
    if (RUN->prefix.is_over && RUN->order.next < RUN->order.end)
        fuel_set(fuel_steps(), 0, 0);
}

// ---------------------------------------------------------------- the running thread stays

// Who was just created, for its first step, and then its parent again.
static tslrt_fiber *pick_eager(void) {
    tslrt_fiber *fiber = RUN->policy.newborn ? RUN->policy.newborn : RUN->policy.parent;
    bool starts = fiber == RUN->policy.newborn;
    if (!starts)
        RUN->policy.parent = NULL;
    RUN->policy.newborn = NULL;
    if (!fiber->enabled || is_asleep(fiber->id))
        return NULL;
    fuel_grant(starts ? 1 : RUN->policy.stay_limit / 4);
    return fiber;
}

static tslrt_fiber *pick_stay(void) {
    tslrt_fiber *self = SELF;
    uint32_t limit = RUN->policy.stay_limit;
    tslrt_fiber *eager = RUN->policy.newborn || RUN->policy.parent ? pick_eager() : NULL;
    if (eager)
        return eager;
    bool turns =
        RUN->policy.yielded || RUN->policy.stay_count >= limit; // give all the others theirs
    bool ends = self->pend.kind == TSL_EV_END && RUN->order.next < RUN->order.end;
    if (turns || ends || !self->enabled || is_asleep(self->id)) {
        RUN->policy.yielded = false;
        RUN->policy.stay_count = 0;
        self = turns ? next_in_circle(self->id) : next_in_order(self->id);
    }
    // Endless loops of one thread must not keep the others from ending the run.
    uint32_t steps = RUN->count.awaiting && !tslrt_spin_ends() ? 1 : limit / 4;
    RUN->policy.stay_count += steps;
    fuel_grant(steps);
    return self;
}

// ---------------------------------------------------------------- samplers

static void put_enabled(unsigned at, uint16_t id) {
    tslrt->threads.enabled[at] = id;
    tslrt_fiber_at(id)->place.enabled = (int16_t)at;
}

// Samplers are given the first ones of the enabled threads.
static void put_awake_first(void) {
    unsigned awake = 0;
    for (unsigned i = 0; i < RUN->count.enabled; i++) {
        uint16_t id = tslrt->threads.enabled[i];
        if (is_asleep(id))
            continue;
        put_enabled(i, tslrt->threads.enabled[awake]);
        put_enabled(awake++, id);
    }
}

static unsigned count_awake(void) {
    unsigned awake = 0;
    for (unsigned i = 0; i < RUN->count.enabled; i++)
        awake += !is_asleep(tslrt->threads.enabled[i]);
    if (awake == 0) {
        RUN->end.before_step = true;
        tslrt_end(TSL_OUT_REDUNDANT, 0, NULL, "every thread that could run sleeps");
    }
    return awake;
}

// ---------------------------------------------------------------- what decides

static void begin_tail(void) {
    if (RUN->plan->nsleep)
        tslrt_sleep_begin();
    RUN->prefix.is_over = true;
    RUN->policy.by_points = RUN->policy.samples && (RUN->plan->flags & TSL_PLAN_POINTS);
    if (RUN->policy.by_points)
        tslrt_recording_update();
}

static tslrt_fiber *pick_by_policy(void) {
    if (!RUN->prefix.is_over)
        begin_tail();
    unsigned n = RUN->count.enabled;
    if (__builtin_expect(RUN->count.asleep != 0, 0)) {
        tslrt_sleep_update();
        n = count_awake();
        if (RUN->policy.samples)
            put_awake_first();
    }
    if (RUN->policy.samples)
        return tslrt_pick_sampled(n);
    if (RUN->plan->policy != TSL_POLICY_FAIR)
        return pick_stay();
    fuel_grant(FAIR_QUANTUM);
    return next_in_circle(SELF->id);
}

// Leaving main ends the process while others run.  What they can still show is shown when the exit
// comes as late as possible: once no thread can run, those that stand before EXIT may.  Which of
// them leaves is part of the schedule.
bool tslrt_let_exit(void) {
    if (RUN->count.enabled > 0)
        return true;
    for (tslrt_fiber *fiber = NULL; (fiber = tslrt_next_live(fiber));)
        if (fiber->pend.kind == TSL_EV_EXIT)
            tslrt_set_enabled(fiber, true);
    return RUN->count.enabled > 0;
}

// The hot words lie where a program that writes everywhere comes by first.
static bool is_sane(void) {
    return TSL_HOT->cursor >= RUN->trace.first &&
           TSL_HOT->cursor <= RUN->trace.limit + TSLRT_EVENTS_ROOM &&
           TSL_HOT->recording <= TSL_RECORD_SOME;
}

tslrt_fiber *tslrt_pick(void) {
    if (!is_sane())
        tslrt_corrupted();
    if (fuel_steps() > RUN->fuel.ask_at || TSL_HOT->cursor >= RUN->trace.limit)
        tslrt_stop_at_limits();
    if (RUN->count.awaiting)
        tslrt_stop_if_spun();
    if (!tslrt_let_exit() && !tslrt_await_outside(NULL))
        tslrt_stop_blocked();
    if (RUN->prefix.item < RUN->plan->nitems)
        return pick_planned();
    if (__builtin_expect(RUN->plan->flags & TSL_PLAN_STOP, 0))
        tslrt_stop_if_asked();
    return pick_by_policy();
}
