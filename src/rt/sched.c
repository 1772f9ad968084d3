// The scheduler: threads take steps.
//
// A thread that is not running stands right before a step whose kind and object are known.  A
// thread that is running asks before each of its own steps:
//
//     step(t):   fuel -= 1                                              (fuel.h)
//                fuel < 0 or t can't run:  next = pick(), switch to it  (pick.c)
//                record the step, let it take effect
//
// So a step with no switch planned at it costs one decrement.  Fuel is what remains of the current
// item of the Plan's prefix, or, once the prefix is used up, what the policy grants: for a random
// walk, the number of times in a row that the running thread would be drawn (policy/random.c).
#include "sched.h"
#include "access.h"
#include "await.h"
#include "fuel.h"

// ---------------------------------------------------------------- events

static void append(unsigned kind, uint64_t addr, unsigned res, uint32_t site) {
    tsl_event *event = TSL_HOT->cursor++;
    *event = (tsl_event){.addr = addr & 0xffffffffffffull,
                         .kind = kind,
                         .site = site,
                         .thread = (uint16_t)(TSL_HOT->thread_bits >> 32),
                         .res = (uint16_t)res};
    // It takes room that the fuel was granted for.
    fuel_hold_back(RUN->trace.limit - TSL_HOT->cursor);
}

void tslrt_note(unsigned kind, uint64_t addr, unsigned res) { append(kind, addr, res, 0); }

void tslrt_free_step(unsigned kind, uint64_t addr, unsigned res, uint32_t site) {
    if (TSL_HOT->cursor >= RUN->trace.limit && tslrt_watched()) {
        RUN->trace.flags |= TSL_TRACE_CUT;
        tslrt_end(TSL_OUT_STEP_LIMIT, site, NULL, "%lu steps and no end",
                  (unsigned long)tslrt_steps());
    }
    append(kind, addr, res, site);
}

// ---------------------------------------------------------------- enabled threads

static void enable(tslrt_fiber *fiber, bool enabled) {
    fiber->enabled = enabled;
    if (enabled) {
        fiber->place.enabled = (int16_t)RUN->count.enabled;
        tslrt->threads.enabled[RUN->count.enabled++] = fiber->id;
    } else {
        uint16_t last = tslrt->threads.enabled[--RUN->count.enabled];
        tslrt->threads.enabled[fiber->place.enabled] = last;
        tslrt_fiber_at(last)->place.enabled = fiber->place.enabled;
        fiber->place.enabled = -1;
    }
    if (RUN->plan->flags & TSL_PLAN_ENABLED)
        tslrt_note(enabled ? TSL_EV_ENABLE : TSL_EV_DISABLE, 0, fiber->id);
}

void tslrt_set_enabled(tslrt_fiber *fiber, bool enabled) {
    if (fiber->enabled == enabled)
        return;
    enable(fiber, enabled);
    if (!RUN->prefix.is_over || !RUN->policy.samples || (RUN->policy.by_points && !enabled))
        return;
    if (RUN->policy.by_points)
        RUN->policy.enabled_one = true; // the thread may come before whatever is next
    else
        tslrt->picker.stay_of = 0; // fuel was granted for another number of threads
    fuel_set(fuel_steps(), 0, 0);
}

// The thread stands before a step on the object now that may have to wait, NULL: it runs.
void tslrt_park(const tslrt_fiber *fiber, const void *object) {
    const void **at = &tslrt->threads.parked_at[fiber->place.created];
    if (*at)
        --*tslrt_parked_near(*at);
    if (object)
        ++*tslrt_parked_near(object);
    *at = object;
}

void tslrt_changed_for_parked(const void *object) {
    for (unsigned i = 0; i < RUN->count.fibers; i++) {
        if (tslrt->threads.parked_at[i] != object)
            continue;
        tslrt_fiber *fiber = tslrt_fiber_at(tslrt->threads.fibers[i]);
        if (fiber->pend.object == object && fiber != SELF && fiber->state == FIBER_LIVE)
            tslrt_set_enabled(fiber, tslrt_can_run(fiber));
    }
}

// ---------------------------------------------------------------- switching

// The next thread runs now: what of its steps is recorded, and until when?
static __attribute__((noinline)) void switch_unevenly(tslrt_fiber *self, const tslrt_fiber *next) {
    tslrt_filter_look(RUN->fuel.switched_at);
    if (tslrt->uses.swaps_floating) {
        fegetenv(&self->context.floating);
        fesetenv(&next->context.floating);
    }
    fuel_hold_back(RUN->fuel.ask_at - RUN->fuel.switched_at);
    if (RUN->has_async || self->exclusive || next->exclusive || self->filter.table ||
        next->filter.table)
        tslrt_recording_update();
    tslrt_switch(&self->context.sp, next->context.sp);
}

static void switch_to(tslrt_fiber *next) {
    tslrt_fiber *self = SELF;
    if (!tsl_never_blocks(self->pend.kind)) // nobody can enable what is never disabled
        tslrt_park(self, self->pend.object);
    if (tslrt->threads.parked_at[next->place.created])
        tslrt_park(next, NULL);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    self->context.low_mark = TSL_HOT->low_stack < here ? TSL_HOT->low_stack : here;
    RUN->self = next;
    TSL_HOT->thread_bits = (uint64_t)next->id << 32;
    TSL_HOT->low_stack = next->context.low_mark;
    self->context.effect_at = TSL_HOT->effect_at;
    TSL_HOT->effect_at = next->context.effect_at;
    if (TSL_HOT->loops)
        TSL_HOT->loops = tslrt_loops_of(next->id);
    if (tslrt->area.used)
        tslrt_area_enter(next->context.area);
    else {
        self->context.saved_errno = *tslrt->errno_at;
        *tslrt->errno_at = next->context.saved_errno;
    }
    // The step that was decided is the next thread's, and not the one that this thread stands before.
    int64_t now = fuel_steps();
    self->context.own_steps += now - RUN->fuel.switched_at;
    RUN->fuel.switched_at = now;
    if (__builtin_expect(RUN->uneven, 0))
        switch_unevenly(self, next);
    else
        tslrt_switch(&self->context.sp, next->context.sp);
}

// The running thread stands before its pending step.  Returns when it was picked.
static void wait_for_turn(void) {
    tslrt_fiber *self = SELF;
    bool can_run = tslrt_can_run(self);
    bool planned = !RUN->prefix.is_over && TSL_HOT->fuel >= 0; // to run on without a switch
    // Alone with what comes from outside, it waits right here, so that it does not show how long that took.
    bool alone = RUN->count.enabled == self->enabled && !RUN->exit.fiber;
    if (!can_run && (planned || alone) && self->pend.kind != TSL_EV_EXIT)
        can_run = tslrt_await_outside(self) && tslrt_can_run(self);
    if (!can_run && planned && self->pend.kind != TSL_EV_EXIT)
        tslrt_diverged("the schedule runs a thread that is blocked:", self->id);
    if (self->enabled != can_run)
        enable(self, can_run);
    if (!can_run && planned) { // EXIT: any thread that stands before it may be the one
        tslrt_let_exit();
        return;
    }
    tslrt_fiber *next = tslrt_pick();
    if (next != self)
        switch_to(next);
}

// Being picked may mean that something sent to the thread arrives first: that is
// then the step, and the pending one waits for another turn.
static void arrive(tslrt_fiber *self) {
    while (__builtin_expect(self->interrupt.sent != 0, 0) &&
           !tslrt_can_return(self, self->pend.kind) && self->pend.kind != TSL_EV_AWAIT &&
           self->pend.kind != TSL_EV_EXIT) {
        tslrt_interrupt();
        TSL_HOT->fuel--;
        if (fuel_must_ask() || !tslrt_can_run(self))
            wait_for_turn();
    }
    if (__builtin_expect(self->cancel.asked, 0))
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
    if (RUN->count.awaiting || RUN->count.asleep || !self->enabled ||
        RUN->plan->flags & TSL_PLAN_STOP) {
        schedule();
        return;
    }
    tsl_picker *p = &tslrt->picker;
    if (p->stay > 0 && p->stay_of == RUN->count.enabled && !RUN->policy.yielded &&
        RUN->policy.stay_count < RUN->policy.stay_limit) {
        p->stay--;
        RUN->policy.stay_count++;
    } else {
        tslrt_fiber *next = tslrt_pick_sampled(RUN->count.enabled);
        if (next != self)
            switch_to(next);
    }
    if (__builtin_expect(self->interrupt.sent || self->cancel.asked, 0))
        arrive(self);
}

void tslrt_block(unsigned kind, const void *object, uint32_t site) {
    if (__builtin_expect(SELF->exclusive, 0))
        tslrt_exclusive_close();
    if (__builtin_expect(tslrt->uses.sends, 0))
        tslrt_interrupt_waits(kind);
    SELF->pend = (pending){.kind = (uint8_t)kind, .site = site, .object = object};
    TSL_HOT->fuel--;
    if (fuel_must_ask() || RUN->policy.by_points || !tslrt_can_run(SELF))
        schedule();
    else if (__builtin_expect(SELF->interrupt.sent != 0, 0))
        arrive(SELF);
}

void tslrt_op_sized(unsigned kind, const void *object, unsigned size_code) {
    tslrt_fiber *self = SELF;
    if (__builtin_expect(self->exclusive, 0) && tslrt_exclusive_takes(kind, object, size_code))
        return;
    bool sends = __builtin_expect(tslrt->uses.sends, 0);
    if (sends) {
        tslrt_interrupt_look(kind);
        tslrt_interrupt_waits(kind);
    }
    uint32_t site = tslrt_take_site();
    self->pend = (pending){
        .kind = (uint8_t)kind, .size = (uint8_t)size_code, .site = site, .object = object};
    self->filter.epoch++;
    TSL_HOT->fuel--;
    if (fuel_must_ask() || RUN->policy.by_points ||
        (!tsl_never_blocks(kind) && !tslrt_can_run(self)))
        schedule();
    else if (__builtin_expect(self->interrupt.sent != 0, 0))
        arrive(self);
    // TESTCANCEL is a look itself, also when the request strikes before it (tslrt_cancel_now).
    bool looks = self->cancel.async && kind != TSL_EV_TESTCANCEL;
    tslrt_record_arg(sends ? tslrt_interrupt_kind(kind) : kind, object,
                     size_code | (looks ? tslrt_looks() : 0), site);
    if (sends)
        tslrt_interrupt_seen(kind);
}

void tslrt_op(unsigned kind, const void *object) { tslrt_op_sized(kind, object, 0); }

// A choice belongs to the step just taken, so in a prefix it follows the last
// step of a RUN item.
unsigned tslrt_choose(unsigned n) {
    unsigned taken = 0;
    bool planned = RUN->prefix.item < RUN->plan->nitems;
    const tsl_item *item = &RUN->prefix.items[RUN->prefix.item];
    if (planned && TSL_HOT->fuel <= 0 && item->kind == TSL_ITEM_CHOICE) {
        if (item->value >= n) // in the middle of a step
            tslrt_end(TSL_OUT_DIVERGED, 0, NULL,
                      "at step %lu (entry %u of the schedule): it takes alternative %u of %u",
                      (unsigned long)tslrt_steps(), RUN->prefix.item, item->value, n);
        taken = item->value;
        RUN->prefix.item++;
    } else if (!planned && RUN->policy.samples)
        taken = (unsigned)tsl_picker_below(&tslrt->picker, n);
    tslrt_note(TSL_EV_CHOICE, n, taken);
    return taken;
}

// The running thread has ended: it takes no further step.
void tslrt_leave(void) {
    TSL_HOT->fuel--;
    fuel_must_ask();
    schedule();
}

// Sleeping and yielding hand over, except in a prefix; a thread that only polls
// while the process wants to end counts as blocked.
void tslrt_yielded(void) {
    tslrt_fiber *self = SELF;
    if (RUN->exit.fiber && ++self->thread.idle > 2)
        tslrt_block(TSL_EV_PAUSE, NULL, self->pend.site);
    bool walks = RUN->plan->policy == TSL_POLICY_RANDOM; // comes to the others anyway
    if (RUN->prefix.is_over && !walks && RUN->count.enabled > 1) {
        RUN->policy.yielded = true;
        fuel_set(fuel_steps(), 0, 0);
    }
}

void tslrt_created(tslrt_fiber *fiber) {
    tslrt_set_enabled(fiber, true);
    tslrt_sample_created(fiber);
    if (!RUN->prefix.is_over || RUN->plan->policy != TSL_POLICY_EAGER)
        return;
    RUN->policy.newborn = fiber;
    RUN->policy.parent = SELF;
    fuel_set(fuel_steps(), 0, 0);
}

// ---------------------------------------------------------------- accesses

void tslrt_recording_update(void) {
    // Counting the unjoined makes this the same in all equivalent runs: the last join comes
    // after everything.  When a thread nobody joins has ended may differ between them.
    bool alone = RUN->count.unjoined <= 1;
    const tslrt_fiber *self = SELF;
    bool some = RUN->policy.by_points || (self && (self->filter.table || self->exclusive)) ||
                (RUN->has_async && (tslrt_looks() || tslrt_interruptible(self)));
    TSL_HOT->recording = alone ? TSL_RECORD_NOTHING : some ? TSL_RECORD_SOME : TSL_RECORD_ALL;
    tslrt_loops_update();
}

TSL_SLOW void __teasel_step_slow(void *p, uint32_t site, uint32_t kind, uint64_t size) {
    unsigned code = size == 16 ? 4 : size == 8 ? 3 : (unsigned)size >> 1;
    SELF->pend = (pending){.kind = (uint8_t)kind, .size = (uint8_t)code, .site = site, .object = p};
    if (fuel_must_ask())
        schedule();
}

TSL_SLOW void __teasel_some_slow(void *p, uint32_t site, uint32_t kind_arg, uint64_t size) {
    unsigned kind = kind_arg & 0xff;
    uintptr_t a = (uintptr_t)p;
    if (SELF->exclusive) {
        tslrt_exclusive_access(p, site, kind, size);
        return;
    }
    if (SELF->filter.table && tsl_is_plain(kind) && tslrt_filter_takes(a, kind, size)) {
        tslrt_heap_check(a, size, site, kind);
        return;
    }
    if (__builtin_expect(tslrt->uses.sends, 0))
        tslrt_interrupt_look(kind);
    SELF->pend = (pending){
        .kind = (uint8_t)kind, .size = (uint8_t)(kind_arg >> 8 & 15), .site = site, .object = p};
    if ((--TSL_HOT->fuel < 0 || TSL_HOT->cursor >= RUN->trace.limit) && fuel_must_ask())
        schedule();
    else if (RUN->policy.by_points && (tslrt_is_point(kind, site) || SELF->cancel.async))
        schedule_access();
    tslrt_heap_check(a, size, site, kind);
    tslrt_record_arg(kind, p, kind_arg >> 8 | (SELF->cancel.async ? tslrt_looks() : 0), site);
    if (tsl_result_is_mark(kind))
        TSL_HOT->cursor[-1].res = tsl_mark_at(p, size);
}

// A range access in two halves: the step is decided, then its length may be
// measured (strlen), then it is recorded (access.c).
bool tslrt_range_asks(unsigned kind, const void *p, uint32_t site) {
    if (TSL_HOT->recording == TSL_RECORD_NOTHING || SELF->exclusive)
        return false;
    if (__builtin_expect(tslrt->uses.sends, 0))
        tslrt_interrupt_look(kind);
    SELF->pend = (pending){.kind = (uint8_t)kind, .size = TSL_ARG_RANGE, .site = site, .object = p};
    TSL_HOT->fuel--;
    return fuel_must_ask() || (RUN->policy.by_points && tslrt_is_point(kind, site));
}

void tslrt_range_turn(void) { schedule(); }

void tslrt_range_begin(unsigned kind, const void *p, uint32_t site) {
    if (tslrt_range_asks(kind, p, site))
        schedule();
}

// The loop that starts runs hands over to the first thread.
void tslrt_first_fiber(void) {
    tslrt_fiber *main_fiber = tslrt_fiber_at(0);
    RUN->self = main_fiber;
    TSL_HOT->thread_bits = 0;
    TSL_HOT->fuel = -1;
    RUN->fuel.until = 0;
    RUN->fuel.switched_at = 1; // the step that is decided first
    tslrt_filter_begin();
    tslrt_set_enabled(main_fiber, true);
    TSL_HOT->low_stack = main_fiber->context.low_mark;
    *tslrt->errno_at = 0;
    if (tslrt->uses.swaps_floating)
        fesetenv(FE_DFL_ENV);
    tslrt_switch(&tslrt->loop_sp, main_fiber->context.sp);
}
