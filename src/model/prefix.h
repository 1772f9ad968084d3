// Did a run begin as it was planned?
//
// A search knows the first steps of a run before it: they are those of an earlier run.  A program
// that is not repeatable (it reads a clock, or what another process wrote) takes other steps there.
// Then what the search knows and what the run shows do not belong together, and nothing may be
// learned from it:
//
//     same(kept, run, n)  =  the first n events are the same ones, but for marks of values and
//                            labels of expressions, which other inputs change
//
// The events that the search goes by are kept as they stood in the Trace, so that in the usual case
// all of this is one comparison of memory.
#ifndef TSL_MODEL_PREFIX_H
#define TSL_MODEL_PREFIX_H

#include "base/vec.h"
#include "model/run.h"

// A step that differs: what was expected, and what came instead.  A kind of TSL_EV_NONE: that is
// not known, or the run had ended.
typedef struct tsl_divergence {
    size_t step; // its number in the run, from 0
    tsl_event expected, came;
} tsl_divergence;

typedef struct tsl_prefix {
    TSL_VEC(tsl_event) events;
} tsl_prefix;

void tsl_prefix_drop(tsl_prefix *prefix);

// From now on the first n events are those of this Trace; the first `from` of them are kept already.
void tsl_prefix_keep(tsl_prefix *prefix, const tsl_run *run, size_t from, size_t n);

// Does the Trace begin with the first n events that are kept?  If not, `out` is filled.
bool tsl_prefix_same(const tsl_prefix *prefix, const tsl_run *run, size_t n, tsl_divergence *out);
// How many events at the beginning of the run are exactly those that are kept.
size_t tsl_prefix_common(const tsl_prefix *prefix, const tsl_run *run);
// The step whose event is kept at this position, or one of kind TSL_EV_NONE.
tsl_event tsl_prefix_at(const tsl_prefix *prefix, size_t position);

// A run that a limit or the runtime cut ends early and has not gone another way: that is a reason of
// its own for claiming less.
bool tsl_prefix_was_cut(unsigned outcome);

// Is the step what was expected, as far as its thread's past decides that?  `whole`: its accesses too.
bool tsl_op_as_expected(const tsl_op *expected, const tsl_op *came, bool whole);

// The step as an event, for messages.
tsl_event tsl_op_event(const tsl_op *op, uint32_t site);

#endif
