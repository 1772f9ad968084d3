// Sampling, as a part of other strategies: what all samplers of one campaign have learned.
//
// What they learn of earlier runs (preemption points, how long runs are, who does what) is put
// into Plans with a delay that depends on the number of the run only, not on how many Plans happen to
// be in flight: so a seed gives the same campaign again.
#ifndef TSL_EXPLORE_SAMPLE_H
#define TSL_EXPLORE_SAMPLE_H

#include "explore/feedback.h"
#include "explore/pool.h"
#include "explore/race_watch.h"
#include "explore/tally.h"

typedef struct tsl_sampling tsl_sampling;

tsl_sampling *tsl_sampling_new(const tsl_search *search);
void tsl_sampling_free(tsl_sampling *sampling);

// False: Traces that are in flight must be learned first.  `mutates`: it may begin as a run did that
// showed new pairs of places, up to a random step.
bool tsl_sampling_plan(tsl_sampling *sampling, unsigned policy, bool mutates, tsl_plan *plan);
// Of a Plan of tsl_sampling_plan, in their order.  Returns the hash of its partial order, or 0 if
// that was seen before.
uint64_t tsl_sampling_learn(tsl_sampling *sampling, const tsl_plan *plan, const tsl_run *run);

// Any other run: the same, and races it shows are learned; but it is no sample.
uint64_t tsl_sampling_watch(tsl_sampling *sampling, const tsl_run *run);

const tsl_feedback *tsl_sampling_feedback(const tsl_sampling *sampling);
const tsl_tallies *tsl_sampling_tallies(const tsl_sampling *sampling);
tsl_inputs *tsl_sampling_inputs(const tsl_sampling *sampling);

#endif
