// A Plan: everything that decides a run.
//
// In memory here, as bytes in shared memory (abi/wire.h), and as lines of text
// in a replay file (trace/replay.h).  The same Plan always gives the same Trace.
#ifndef TSL_TRACE_PLAN_H
#define TSL_TRACE_PLAN_H

#include <stdbool.h>

#include "abi/wire.h"
#include "base/vec.h"

typedef TSL_VEC(tsl_item) tsl_items;
typedef TSL_VEC(tsl_event) tsl_events;

typedef struct tsl_plan {
    uint64_t seed;
    uint64_t max_steps;
    uint32_t policy;         // enum tsl_policy: who decides after the prefix
    uint32_t flags;          // enum tsl_plan_flag
    tsl_items items;         // the schedule prefix, run-length coded
    tsl_events sleep;        // the sleep set before the last step of the prefix; see abi/wire.h
    TSL_VEC(tsl_turn) order; // for TSL_POLICY_EAGER
} tsl_plan;

void tsl_plan_init(tsl_plan *plan);
void tsl_plan_drop(tsl_plan *plan);
void tsl_plan_copy(tsl_plan *to, const tsl_plan *from);

// Appends one step of a thread, or one taken alternative, to the prefix.
void tsl_plan_step(tsl_plan *plan, uint16_t thread);
void tsl_plan_steps(tsl_plan *plan, uint16_t thread, uint32_t count);
void tsl_plan_choice(tsl_plan *plan, uint16_t alternative);

#endif
