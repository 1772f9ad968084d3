// One thread of one run: a fiber.
//
// The address of a fiber is its pthread_t.  What every switch needs comes first: fibers are a
// kilobyte apart, and many of them do not fit the nearest cache.  Every other file keeps its part
// of the state in a struct of its own.
#ifndef TSLRT_FIBER_H
#define TSLRT_FIBER_H

#include <fenv.h>

#include "extern.h"
#include "filter.h"
#include "libc/io.h"
#include "policy/picker.h"
#include "sched.h"
#include "sleep.h"
#include "sync/cancel.h"
#include "sync/enabled.h"
#include "sync/interrupt.h"
#include "sync/key.h"
#include "sync/signals.h"
#include "sync/thread.h"
#include "sync/waiting.h"

enum fiber_state { FIBER_UNUSED, FIBER_LIVE, FIBER_ENDED };
#define TSLRT_NOBODY 0xffffu

typedef tsl_pending pending; // the step that a thread stands before

// What a switch keeps while another thread runs.
typedef struct tslrt_context {
    void *sp;
    uintptr_t area;       // its thread pointer (area.c)
    uintptr_t low_mark;   // lowest stack address known to be used in this run
    tsl_event *effect_at; // TSL_HOT's
    int64_t own_steps;    // those since RUN->fuel.switched_at are missing if the thread runs
    int saved_errno;      // if all threads share what libc keeps
    fenv_t floating;      // its modes of floating point, if the program changes them
} tslrt_context;

// The place in the tree of threads.
typedef struct tslrt_ancestry {
    uint16_t parent, index, children;
} tslrt_ancestry;

typedef struct tslrt_stack { // mapped
    uintptr_t low, high;
} tslrt_stack;

typedef struct tslrt_fiber {
    // These lie in the first two lines of the cache.
    pending pend;
    uint16_t id;
    uint8_t state; // enum fiber_state
    bool enabled;
    tslrt_place place;
    uint16_t exclusive; // how deep it is in atomic sections
    tslrt_cancel cancel;
    tslrt_repeats filter;
    tslrt_context context;
    tslrt_interrupted interrupt;

    tslrt_masked signal;
    uint64_t clock_ns; // its virtual time
    tslrt_waiting wait;
    tslrt_using io;
    tslrt_arrival barrier;
    tslrt_asleep sleep;
    struct tslrt_round *spun; // before AWAIT: the round that changed nothing
    tslrt_calling call;
    tslrt_ancestry tree;
    tslrt_stack stack;
    tslrt_thread thread;
    tslrt_own own;
    tslrt_locks locks;
} tslrt_fiber;

_Static_assert(sizeof(tslrt_fiber) <= TSL_FIBER_STRIDE, "a fiber fits its place");
_Static_assert(offsetof(tslrt_fiber, interrupt.sent) < 128, "what every switch needs comes first");

static inline tslrt_fiber *tslrt_fiber_at(unsigned id) {
    return (tslrt_fiber *)(TSL_FIBERS_ADDR + id * TSL_FIBER_STRIDE);
}

tslrt_fiber *tslrt_fiber_new(void *(*start)(void *), void *arg);
void tslrt_fiber_stack(tslrt_fiber *fiber, size_t want);
void tslrt_fiber_clean(tslrt_fiber *fiber); // stack and values back to zero
void tslrt_switch(void **save_sp, void *load_sp);
void *tslrt_fiber_prepare(uintptr_t stack_high, void (*entry)(void));

// Of libm, which a program that changes the modes of floating point is linked with.
extern int fegetenv(fenv_t *modes) __attribute__((weak));
extern int fesetenv(const fenv_t *modes) __attribute__((weak));

#endif
