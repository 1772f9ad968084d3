// What does a step do to others, and when do two steps depend on each other?
//
// A step is an event with the notes after it (run.h reads both).  What it does to other threads is
// described by its accesses alone.
#ifndef TSL_MODEL_STEP_H
#define TSL_MODEL_STEP_H

#include "abi/conflict.h"
#include "trace/trace.h"

enum { TSL_STEP_WAKES = 64 };

// What a step does to others: all that dependence needs to know about it.
typedef struct tsl_op {
    uint16_t thread;
    uint8_t kind;
    uint8_t naccesses;
    bool unknown; // some accesses are not known, so the step conflicts with everything
    tsl_access access[TSL_OP_ACCESSES];
} tsl_op;

typedef struct tsl_wake {
    uint16_t thread;
    bool could_give_up; // the thread could have left the queue by itself, with its pending step
    bool reads_request; // that pending step reads the thread's request flag
} tsl_wake;

// Do two operations depend on each other, if `first` runs right before `second`?
static inline __attribute__((always_inline)) bool tsl_op_conflict(const tsl_op *first,
                                                                  const tsl_op *second) {
    if (first->thread == second->thread || first->unknown || second->unknown)
        return true;
    if (first->naccesses == 1 && second->naccesses == 1) // nearly always
        return tsl_access_conflict(&first->access[0], &second->access[0]);
    for (unsigned i = 0; i < first->naccesses; i++)
        for (unsigned k = 0; k < second->naccesses; k++)
            if (tsl_access_conflict(&first->access[i], &second->access[k]))
                return true;
    return false;
}

// `executed` runs while `sleeping` is in a sleep set, and the two do not conflict.  If both are
// arrivals at one barrier, the round of `sleeping` now lacks one thread fewer.
void tsl_op_pass(tsl_op *sleeping, const tsl_op *executed);

// The operation as it would be if it changed everything that it may change, or nothing of that.
tsl_op tsl_op_at_most(const tsl_op *op);
tsl_op tsl_op_at_least(const tsl_op *op);

// Appends the operation in the form that the sleep set of a Plan has.
void tsl_op_to_events(const tsl_op *op, tsl_events *out);

// The length of a range stands in the note right after its event.
static inline uint64_t tsl_length_behind(const tsl_trace *trace, size_t at) {
    bool there = at + 1 < trace->nevents && trace->events[at + 1].kind == TSL_EV_LENGTH;
    return there ? trace->events[at + 1].addr : 1;
}

#endif
