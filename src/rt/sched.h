// The scheduler: steps, and the order in which threads take them.
#ifndef TSLRT_SCHED_H
#define TSLRT_SCHED_H

#include "abi/wire.h"

typedef struct tslrt_fiber tslrt_fiber;

#define TSLRT_PARKED_COUNTS 256

// Of the process: the threads of the current run.
typedef struct tslrt_threads {
    uint16_t parked_count[TSLRT_PARKED_COUNTS]; // parked threads, by a hash of their object
    uint16_t fibers[TSL_MAX_THREADS / 2];       // numbers in the order of creation
    uint16_t enabled[TSL_MAX_THREADS / 2]; // numbers of those that can be scheduled, in any order
    // Object of the step that each thread stands before, if it has been switched away from.  Dense,
    // because every change of an object looks through it.
    const void *parked_at[TSL_MAX_THREADS / 2];
} tslrt_threads;

// Of a run: how many steps were taken.
typedef struct tslrt_fuel {
    int64_t until;       // steps taken = until - TSL_HOT->fuel
    int64_t beyond;      // fuel that was granted and held back
    int64_t ask_at;      // behind so many steps a filter may start, or the run is too long
    int64_t switched_at; // number of the first step of the running thread since it was picked
} tslrt_fuel;

// Of a run: threads.
typedef struct tslrt_counts {
    uint16_t fibers, live, enabled;
    uint16_t unjoined; // not joined, whether they live or not
    uint16_t asleep;   // in the sleep set
    uint16_t awaiting; // before AWAIT
    uint64_t tickets;  // given to waiters so far
} tslrt_counts;

// Of a thread.
typedef struct tslrt_place {
    uint16_t created; // place in tslrt->threads.fibers
    int16_t enabled;  // place in tslrt->threads.enabled
} tslrt_place;

// The running thread is about to take this step.  Returns when it may.
void tslrt_op(unsigned kind, const void *object);
void tslrt_op_sized(unsigned kind, const void *object, unsigned size_code);
// Like tslrt_op, for a pending step that others may change meanwhile (condition variables).
// Records nothing.
void tslrt_block(unsigned kind, const void *object, uint32_t site);
// A step that takes no turn, right behind what the running thread did last.
void tslrt_free_step(unsigned kind, uint64_t addr, unsigned res, uint32_t site);
void tslrt_note(unsigned kind, uint64_t addr, unsigned res);
unsigned tslrt_choose(unsigned n); // one of n alternatives of the step just recorded
void tslrt_yielded(void);          // the running thread slept or yielded
uint64_t tslrt_steps(void);        // taken so far in this run
void tslrt_recording_update(void); // decides which accesses hooks record

void tslrt_created(tslrt_fiber *fiber);
void tslrt_set_enabled(tslrt_fiber *fiber, bool enabled);
// The thread stands before a step on the object now, which may have to wait; NULL: it runs.
void tslrt_park(const tslrt_fiber *fiber, const void *object);
// See tslrt_changed in quick.h.
void tslrt_changed_for_parked(const void *object);
void tslrt_leave(void); // the running thread has ended, and takes no further step

void tslrt_first_fiber(void); // the loop that starts runs hands over to main's fiber

#endif
