// One step of a Trace: an event and the notes behind it, as accesses.
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
    bool could_give_up; // it stood before a WOKEN step that could have run
    bool reads_request; // which reads the thread's request flag
} tsl_wake;

// A step as it stands in a Trace.
typedef struct tsl_step_view {
    tsl_op op;
    uint64_t addr;
    uint16_t res;
    uint16_t choice, nchoices; // nchoices 0: none
    uint8_t order;             // of an atomic access: memory_order
    uint32_t site;
    bool ready;         // pending: TSL_PENDING_READY
    size_t event, next; // its event, and where the next step's notes and event begin
    size_t nwakes;
    tsl_wake wakes[TSL_STEP_WAKES];
} tsl_step_view;

// False for ends of threads, joins and the exit of main: they follow from the rest of the run, unless
// somebody looks at whether a thread has ended, or at what the others had done by the exit.
static inline bool tsl_step_decides(const tsl_step_view *step) {
    return step->op.kind != TSL_EV_END &&
           (step->op.kind != TSL_EV_EXIT || step->op.thread || step->op.unknown) &&
           (step->op.kind != TSL_EV_JOIN || step->res || step->op.naccesses > 1);
}

// The Trace without the steps at its end that decide nothing, if what the last thread accesses
// there is its own (tsl_history_skip).
tsl_trace tsl_step_decisive_part(const tsl_trace *trace);

// Reads the step that begins at or behind events[at].  False: there is none.
bool tsl_step_read(const tsl_trace *trace, size_t at, tsl_step_view *step);

// The step a thread stood before when the run ended; `at` moves on.  False: no more.
bool tsl_step_read_pending(const tsl_trace *trace, size_t *at, tsl_step_view *step);

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
