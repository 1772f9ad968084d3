// A Trace: everything that a run shows.
//
// A view of a Trace that borrows its bytes, wherever they lie (in shared memory, or in a copy).
// The runner has checked the counts.
#ifndef TSL_TRACE_TRACE_H
#define TSL_TRACE_TRACE_H

#include "trace/plan.h"

typedef struct tsl_trace {
    const tsl_trace_head *head;
    const tsl_event *events;
    size_t nevents;
    const tsl_expr *nodes; // of BRANCH events; not checked, the program wrote them
    uint32_t nnodes;
} tsl_trace;

// Names and classes of abi/events.def and abi/outcome.def.
const char *tsl_event_name(unsigned kind);
// What a thread before such a step waits for; a star stands for the object, if there is one.
const char *tsl_event_awaited(unsigned kind);
enum tsl_event_class tsl_event_class(unsigned kind);
bool tsl_event_is_step(unsigned kind);
const char *tsl_outcome_kind(unsigned outcome);     // "assertion", "deadlock", ...
const char *tsl_outcome_headline(unsigned outcome); // "assertion failed", ...
bool tsl_outcome_is_bug(unsigned outcome);
// Is it a bug that ends the process while other threads could go on?
bool tsl_outcome_stops(unsigned outcome);

// Is event i the result of a TEASEL_CHOOSE?  Other choices belong to the schedule.
bool tsl_trace_chose(const tsl_trace *trace, size_t i);

// Hash of events, outcome, exit status and output: equal for equal Traces.
uint64_t tsl_trace_hash(const tsl_trace *trace);

// A Plan that runs the schedule of the Trace again: its prefix has every step and choice.
void tsl_trace_to_plan(const tsl_trace *trace, const tsl_plan *ran, tsl_plan *out);

// Appends to the Plan's items which thread ran when, and which alternatives were chosen.
void tsl_trace_schedule_to_plan(const tsl_trace *trace, tsl_plan *out);

#endif
