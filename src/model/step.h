// What a step does to others, and when two steps depend on each other.
//
// A step is an event with the notes behind it (run.h reads them); of its effect on other threads
// nothing matters but its accesses.
#ifndef TSL_MODEL_STEP_H
#define TSL_MODEL_STEP_H

#include "abi/conflict.h"
#include "trace/trace.h"

enum { TSL_STEP_WAKES = 64 };

// What a step does to others; all that dependence needs to know about it.
typedef struct tsl_op {
    uint16_t thread;
    uint8_t kind;
    uint8_t naccesses;
    bool unknown; // more accesses than there is room for: conflicts with everything
    tsl_access access[TSL_OP_ACCESSES];
} tsl_op;

typedef struct tsl_wake {
    uint16_t thread;
    bool could_give_up; // it stood before a step by which it could have left the queue by itself
    bool reads_request; // that step reads the thread's request flag
} tsl_wake;

// Do the two depend on each other?  `first` could run right before `second`.
static inline __attribute__((always_inline)) bool tsl_op_conflict(const tsl_op *first,
                                                                  const tsl_op *second) {
    if (first->thread == second->thread || first->unknown || second->unknown)
        return true;
    if (first->naccesses == 1 && second->naccesses == 1) // as nearly always
        return tsl_access_conflict(&first->access[0], &second->access[0]);
    for (unsigned i = 0; i < first->naccesses; i++)
        for (unsigned k = 0; k < second->naccesses; k++)
            if (tsl_access_conflict(&first->access[i], &second->access[k]))
                return true;
    return false;
}

// `executed` ran while `sleeping` slept and they do not conflict: what sleeps may have
// come to mean something slightly different.
void tsl_op_pass(tsl_op *sleeping, const tsl_op *executed);

// As it would be if it changed everything it may change, or nothing.
tsl_op tsl_op_at_most(const tsl_op *op);
tsl_op tsl_op_at_least(const tsl_op *op);

// Appends the op in the form a Plan's sleep set has.
void tsl_op_to_events(const tsl_op *op, tsl_events *out);

#endif
