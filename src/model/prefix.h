// Did a run begin as it was planned?
//
// A search knows how a run will begin: with the first steps of an earlier run.  A program that is
// not repeatable (because it reads a clock, say, or what another process wrote) may take other
// steps there.  Then the run does not fit what the search knows, and nothing may be learned from
// it:
//
//     same(kept, run, n)  =  the first n events are equal, except for marks of values and labels of
//                            terms, which change with the inputs
//
// The events of the earlier run are kept as they stood in its Trace, so the usual case is a single
// comparison of memory.
#ifndef TSL_MODEL_PREFIX_H
#define TSL_MODEL_PREFIX_H

#include "model/run.h"

// The first step that differs: what was expected, and what came instead.  If that is not known, or
// the run had ended, the event has the kind TSL_EV_NONE.
typedef struct tsl_divergence {
    size_t step; // number of the step in the run, from 0
    tsl_event expected, came;
} tsl_divergence;

typedef struct tsl_prefix {
    tsl_events events;
} tsl_prefix;

void tsl_prefix_drop(tsl_prefix *prefix);

// Keeps the first n events of this run; the first `from` of them are kept already.
void tsl_prefix_keep(tsl_prefix *prefix, const tsl_run *run, size_t from, size_t n);

// Does the run begin with the first n events that are kept?  If not, `out` is filled.
bool tsl_prefix_same(const tsl_prefix *prefix, const tsl_run *run, size_t n, tsl_divergence *out);
// How many events at the beginning of the run are byte for byte those that are kept?
size_t tsl_prefix_common(const tsl_prefix *prefix, const tsl_run *run);
// The step whose event is kept at this position, or one of kind TSL_EV_NONE.
tsl_event tsl_prefix_at(const tsl_prefix *prefix, size_t position);

// Was the run cut short by a limit or by the runtime?  Such a run ends early but has not gone
// another way; the claim has reasons of its own for that.
bool tsl_prefix_was_cut(unsigned outcome);

// Is the step the expected one, as far as the past of its thread decides that?  If `whole` is set,
// its accesses must be the expected ones, too.
bool tsl_op_as_expected(const tsl_op *expected, const tsl_op *came, bool whole);

// The step as an event, for messages.
tsl_event tsl_op_event(const tsl_op *op, uint32_t site);

#endif
