// The scheduler: steps, and the order in which threads take them.
#ifndef TSLRT_SCHED_H
#define TSLRT_SCHED_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;

#define TSLRT_PARKED_COUNTS 256

// Of a thread.
typedef struct tslrt_place {
    uint16_t created; // place in tslrt->fibers
    int16_t enabled;  // place in tslrt->enabled
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
uint64_t tslrt_random(void);
void tslrt_recording_update(void); // decides which accesses hooks record

void tslrt_created(tslrt_fiber *fiber);
void tslrt_set_enabled(tslrt_fiber *fiber, bool enabled);
// The thread stands before a step on the object now, which may have to wait; NULL: it runs.
void tslrt_park(const tslrt_fiber *fiber, const void *object);
// See tslrt_changed in quick.h.
void tslrt_changed_for_parked(const void *object);
void tslrt_ends(void);  // the running thread is about to end: others may come first
void tslrt_leave(void); // the running thread has ended, and takes no further step

void tslrt_first_fiber(void); // the loop that starts runs hands over to main's fiber
void tslrt_first_pick(void);  // main's fiber stands before its first step

#endif
