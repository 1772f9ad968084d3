// A Plan: everything that decides a run.
//
// In memory here, as bytes in shared memory (abi/wire.h), and as lines of text
// in a replay file (trace/replay.h).  The same Plan always gives the same Trace.
#ifndef TSL_TRACE_PLAN_H
#define TSL_TRACE_PLAN_H

#include "abi/wire.h"
#include "base/vec.h"

typedef TSL_VEC(tsl_item) tsl_items;
typedef TSL_VEC(tsl_event) tsl_events;

// The value of one input; its bytes stand in `input_bytes`.
typedef struct tsl_planned_input {
    uint32_t thread, index; // as tsl_expr_object
    uint32_t size, at;
} tsl_planned_input;

typedef struct tsl_plan {
    uint64_t seed;
    uint64_t input_seed; // for inputs that are not in the Plan
    uint64_t max_steps;
    uint32_t max_branches; // most input branches that are recorded
    uint32_t policy;       // enum tsl_policy: the rule that decides behind the prefix
    uint32_t flags;        // enum tsl_plan_flag
    // For samplers; see abi/wire.h.
    uint32_t depth;
    uint64_t length, interest;
    const uint32_t *points; // the whole log of preemption points so far; the strategy owns it
    uint32_t npoints;
    // The lists come last (plan.c).
    tsl_items items;         // the schedule prefix, run-length coded
    tsl_events sleep;        // the sleep set before the last step of the prefix; see abi/wire.h
    TSL_VEC(tsl_turn) order; // for TSL_POLICY_EAGER
    TSL_VEC(tsl_planned_input) inputs;
    TSL_VEC(uint8_t) input_bytes;
    TSL_VEC(tsl_weight) weights; // for samplers
} tsl_plan;

// As replay files write the policy.
const char *tsl_policy_name(uint32_t policy);

void tsl_plan_init(tsl_plan *plan);
void tsl_plan_drop(tsl_plan *plan);
void tsl_plan_copy(tsl_plan *to, const tsl_plan *from);
void tsl_plan_copy_inputs(tsl_plan *to, const tsl_plan *from);

// Leaves the Plan as after init, but keeps its memory.
void tsl_plan_clear(tsl_plan *plan);

// Append a step of a thread, or the taken alternative of a choice, to the prefix.
void tsl_plan_step(tsl_plan *plan, uint16_t thread);
void tsl_plan_steps(tsl_plan *plan, uint16_t thread, uint32_t count);
void tsl_plan_add_input(tsl_plan *plan, uint32_t thread, uint32_t index, const void *bytes,
                        uint32_t size);
void tsl_plan_choice(tsl_plan *plan, uint16_t alternative);

#endif
