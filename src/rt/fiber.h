// One thread of one run: a fiber.
//
// Its address is its pthread_t.  What every switch needs comes first: fibers are a kilobyte apart,
// and many of them do not fit the nearest cache.
#ifndef TSLRT_FIBER_H
#define TSLRT_FIBER_H

#include <fenv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/hooks.h"
#include "sync/enabled.h"

typedef struct tslrt_channel tslrt_channel;
typedef struct tslrt_io tslrt_io;
typedef struct tslrt_handling tslrt_handling;

enum fiber_state { FIBER_UNUSED, FIBER_LIVE, FIBER_ENDED };
#define TSLRT_NOBODY 0xffffu

// The step a thread stands before.
typedef struct pending {
    uint8_t kind;
    uint8_t size; // of a memory access: the low bits of its event's `arg`
    uint32_t site;
    const void *object;
} pending;

typedef struct tslrt_fiber {
    void *sp; // saved when not running
    pending pend;
    uint16_t id, parent, index, children;
    uint16_t place;     // in tslrt->fibers
    int16_t enabled_at; // place in tslrt->enabled
    uint8_t state;      // enum fiber_state
    bool enabled;
    bool detached, joined, started;
    uint16_t exclusive; // how deep it is in atomic sections
    bool has_joiner;    // somebody may be in pthread_join for it
    bool stuck;         // waits for ever: stuck.c
    bool ready_at_exit; // could have run when the process ended
    bool cancel_asked;
    bool at_cancel_point;  // the pending step is one, and cancellation is enabled
    int saved_errno;       // while another thread runs, if all threads share what libc keeps
    uintptr_t area;        // its thread pointer: area.c
    uint64_t signals;      // sent to it and not delivered yet
    int64_t own_steps;     // without those since RUN->switched_at, if it runs
    uintptr_t low_mark;    // lowest stack address known to be used in this run
    tsl_event *effect_at;  // TSL_HOT's, while another thread runs
    uint32_t called_at;    // site of the call of libc that calls functions of the program
    uint64_t called_in;    // and how many steps were taken when it began
    const tsl_event *call; // its step
    struct tslrt_descent *descent; // and the tree it goes through: trees.c
    pending *kept;      // while a handler runs that came when it waited: the step it waits for
    bool refused;       // its call was interrupted, and fails
    uint64_t mask;      // signals it blocks; bit 0 is signal 1
    uint64_t pending;   // sent to it and blocked
    void *signal_stack; // what it told sigaltstack, or NULL
    size_t signal_stack_size;
    uint64_t awaited; // it is in sigwait for one of these
    bool interrupted; // a handler ran
    bool puts_off;    // it has looked at its signals, and takes them later
    bool suspended;   // in sigsuspend, which ends by a signal from its first step on
    bool swaps_mask;  // and the next handler that returns puts back the mask it had before
    uint64_t mask_before;
    struct tslrt_handling *handling; // innermost handler of a signal that runs, or NULL
    int sends_code;                  // what comes with the signal that it sends
    void *sends_value;

    uintptr_t stack_low, stack_high; // mapped
    void *(*start)(void *);
    void *arg, *result;
    uint64_t clock_ns; // its virtual time
    fenv_t
        floating; // its modes of floating point while another thread runs, if the program changes them
    bool cancel_disabled, cancel_async, unwinding;
    int policy, priority;      // told by the program, and of no effect
    uint16_t nheld, held_lost; // lost: had no room, so nothing can be said about what it holds

    // condition variables
    pthread_cond_t *waits_for; // in whose queue it is
    pthread_mutex_t *wait_mutex;
    bool timed;       // its step is a timed wait for a semaphore
    bool may_give_up; // timed, or spurious wake-ups are on
    bool signalled;   // it was taken out of the queue by a signal, not by a broadcast
    uint64_t wait_ticket;
    const void *futex; // the word in whose queue it is
    const tslrt_io *io;
    void *stream;        // that it holds while libc works on it (libc/lockfile.c); or NULL
    uint16_t channels;   // that it has made
    tslrt_channel *used; // by the IO step it is in, through that descriptor; or NULL
    int used_fd;
    void *barrier; // the one it has arrived at
    uint32_t round;
    bool released;       // from a barrier
    bool may_be_serial;  // nobody of its round has left yet
    bool ignores_serial; // the caller does not look at what pthread_barrier_wait returns

    struct tslrt_round *spun; // before AWAIT: the one that changed nothing

    // sleep sets
    const tsl_event *sleeps_before; // the step, in the Plan; NULL: awake
    uint16_t arrived_before;        // at the barrier it will arrive at, while it sleeps

    void *cleanup; // innermost struct of pthread_cleanup_push

    uint32_t ninputs;                 // asked for so far
    uint32_t arg_label, result_label; // of what it is started with, and what it returns

    uint16_t idle;       // sleeps and yields since somebody stood before EXIT
    uint32_t sync_epoch; // grows at every synchronisation
    uint32_t filter;     // number of its table of repeated accesses; 0: it leaves out none
    void **keys;         // thread-specific values, 0 until used
    uintptr_t tls_top;   // emulated TLS: next free byte, 0 until used
    uintptr_t tls_end;
    uint32_t tls_count;
    char name[16];
    void *held[TSLRT_MAX_HELD]; // mutexes and locks it holds, oldest first
} tslrt_fiber;

_Static_assert(sizeof(tslrt_fiber) <= TSL_FIBER_STRIDE, "a fiber fits its place");

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
