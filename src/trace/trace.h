// A Trace: everything a run shows.
//
// A borrowed view of one Trace, wherever its bytes lie (shared memory, a copy).
// The executor has checked every count and index before handing it out.
#ifndef TSL_TRACE_TRACE_H
#define TSL_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/wire.h"
#include "trace/plan.h"

typedef struct tsl_trace {
    const tsl_trace_head *head;
    const tsl_event *events;
    size_t nevents;
    const tsl_expr *nodes; // of BRANCH events; as the program wrote them, not checked
    uint32_t nnodes;
} tsl_trace;

// Names and classes out of abi/events.def and abi/outcome.def.
const char *tsl_event_name(unsigned kind);
enum tsl_event_class tsl_event_class(unsigned kind);
bool tsl_event_is_step(unsigned kind);
const char *tsl_outcome_kind(unsigned outcome);     // "assertion", "deadlock", ...
const char *tsl_outcome_headline(unsigned outcome); // "assertion failed", ...
bool tsl_outcome_is_bug(unsigned outcome);
// A bug that ends the process while other threads could go on.
bool tsl_outcome_stops(unsigned outcome);

// Event i is what a TEASEL_CHOOSE gave: other choices belong to the schedule.
bool tsl_trace_chose(const tsl_trace *trace, size_t i);

// Hash over events, outcome, exit status and output: equal for equal Traces.
uint64_t tsl_trace_hash(const tsl_trace *trace);

// The schedule that was run, as a Plan that runs it again: the prefix covers every
// step and choice of the trace.
void tsl_trace_to_plan(const tsl_trace *trace, const tsl_plan *ran, tsl_plan *out);

// Only who ran when, and what was chosen; added to the Plan's items.
void tsl_trace_schedule_to_plan(const tsl_trace *trace, tsl_plan *out);

#endif
