// What nearly every step does, short enough to be inlined into its callers.
//
// Each function has a quick way for the usual case here, and calls a function of the file that is
// named beside it for the rest.  Most files that include this header need sched.h and state.h, too,
// and get them here.
#ifndef TSLRT_QUICK_H
#define TSLRT_QUICK_H

#include "state.h"

// sched.c
static inline void tslrt_record(unsigned kind, const void *object, uint32_t site) {
    tsl_event *event = TSL_HOT->cursor++;
    *event = (tsl_event){.addr = (uintptr_t)object & 0xffffffffffffull,
                         .kind = kind,
                         .site = site,
                         .thread = (uint16_t)(TSL_HOT->thread_bits >> 32)};
}

static inline void tslrt_record_arg(unsigned kind, const void *object, unsigned arg,
                                    uint32_t site) {
    tslrt_record(kind, object, site);
    TSL_HOT->cursor[-1].arg = (uint8_t)arg;
}

// Sets `res` of the step just recorded.  Notes may stand between the step and its result.
static inline void tslrt_result(unsigned res) {
    if (RUN->exclusive.event)
        return;
    tsl_event *event = TSL_HOT->cursor - 1;
    while (tsl_is_note(event->kind) && event > RUN->trace.first)
        event--;
    event->res = (uint16_t)res;
}

// The step just recorded returns this error, or 0.
static inline int tslrt_told(int error) {
    tslrt_result((unsigned)error);
    return error;
}

// restart.c: the runtime wrote into the program's memory.  Most of that lies in one page.
static inline void tslrt_wrote(const void *p, size_t n) {
    uintptr_t first = (uintptr_t)p >> 12, last = ((uintptr_t)p + n - 1) >> 12;
    if (first == last && n)
        ((uint8_t *)TSL_DIRTY_ADDR)[first % TSL_DIRTY_SIZE] = 1;
    else
        tslrt_wrote_pages(p, n);
}

// How many threads may be parked at objects that share a number: mostly none.
static inline uint16_t *tslrt_parked_near(const void *object) {
    uintptr_t a = (uintptr_t)object;
    return &tslrt->threads.parked_count[(a >> 4 ^ a >> 12) % TSLRT_PARKED_COUNTS];
}

// The state of an object changed: see who can go on (sched.c).
static inline void tslrt_changed(const void *object) {
    if (*tslrt_parked_near(object))
        tslrt_changed_for_parked(object);
}

// libc/time.c: time travels with synchronisation, so whoever takes over is not earlier than who
// handed over.
static inline void tslrt_clock_give(uint64_t *kept) {
    if (SELF->clock_ns > *kept)
        *kept = SELF->clock_ns;
}

static inline void tslrt_clock_take(uint64_t kept) {
    if (kept > SELF->clock_ns)
        SELF->clock_ns = kept;
}

// sync/enabled.c: locks that a thread holds, oldest first.
static inline void tslrt_held_add(void *lock) {
    tslrt_fiber *self = SELF;
    if (self->locks.n < TSLRT_MAX_HELD)
        self->locks.held[self->locks.n++] = lock;
    else
        self->locks.lost++;
}

static inline bool tslrt_held_remove(void *lock) {
    tslrt_fiber *self = SELF;
    if (!self->locks.n || self->locks.held[self->locks.n - 1] != lock)
        return tslrt_held_remove_inner(lock);
    self->locks.n--;
    return true;
}

// heap.c: every byte of an access must be addressable.  The access is a step that is not recorded
// yet ...
static inline void tslrt_heap_check(uintptr_t a, uint64_t size, uint32_t site, unsigned kind) {
    if (tslrt_in_heap(a) && size)
        tslrt_heap_check_block(a, size, site, kind, true);
}

// ... or part of the step recorded last.
static inline void tslrt_heap_check_also(uintptr_t a, uint64_t size, uint32_t site, unsigned kind) {
    if (tslrt_in_heap(a) && size)
        tslrt_heap_check_block(a, size, site, kind, false);
}

// area.c: the thread pointer of the thread that runs next.
static inline void tslrt_area_enter(uintptr_t pointer) {
#if defined(__x86_64__)
    if (__builtin_expect(tslrt->area.quick, 1))
        __asm__ volatile("wrfsbase %0" ::"r"(pointer) : "memory");
    else
        tslrt_area_ask_kernel(pointer);
#else
    __asm__ volatile("msr tpidr_el0, %0" ::"r"(pointer) : "memory");
#endif
}

// sample.c: is a step of this kind at a preemption point?  A few bits of the site tell: a site that
// shares them with a point is a point, too.
static inline bool tslrt_is_point(unsigned kind, uint32_t site) {
    return !tsl_is_ordinary_access(kind) || tslrt->points[site % TSLRT_POINTS];
}

// Where the current call comes from; 0 in uninstrumented code.  Taken once.
static inline uint32_t tslrt_take_site(void) {
    uint32_t site = TSL_HOT->call_site;
    TSL_HOT->call_site = 0;
    return site;
}

// The same for a call of that class (enum tsl_extern_class).
static inline uint32_t tslrt_enter(unsigned class_) {
    TSL_HOT->opaque |= class_;
    return tslrt_take_site();
}

#endif
