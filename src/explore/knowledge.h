// What have the samplers of one campaign learned from earlier runs, and which Plan follows?
//
// A Plan of a sampler is a seed and what was learned: preemption points, how long runs are, how many
// steps each thread takes, and schedules that showed something new.  What was learned enters Plans
// with a delay.  The delay depends on the number of the run only, and not on how many Plans happen to
// be in flight, so the same seed gives the same campaign.
#ifndef TSL_EXPLORE_KNOWLEDGE_H
#define TSL_EXPLORE_KNOWLEDGE_H

#include "explore/feedback.h"
#include "explore/pool.h"
#include "explore/race_watch.h"
#include "explore/tally.h"

typedef struct tsl_knowledge tsl_knowledge;

// What is known is shown by the fields of `owner`, a strategy.
tsl_knowledge *tsl_knowledge_new(const tsl_search *search, tsl_strategy *owner);
void tsl_knowledge_free(tsl_knowledge *knowledge);

// Returns false if Traces that are in flight must be learned first.  `mutates`: the Plan may begin,
// up to a random step, as a run did that showed new pairs of sites.
bool tsl_knowledge_plan(tsl_knowledge *knowledge, unsigned policy, bool mutates, tsl_plan *plan);
// For the runs of those Plans, in the order of the Plans.  Returns the hash of the run's partial
// order, or 0 if that order was seen before.
uint64_t tsl_knowledge_learn(tsl_knowledge *knowledge, const tsl_plan *plan, const tsl_run *run);

// The same for any other run: the races that it shows are learned, but it is no sample.
uint64_t tsl_knowledge_watch(tsl_knowledge *knowledge, const tsl_run *run);

tsl_inputs *tsl_knowledge_inputs(const tsl_knowledge *knowledge);

#endif
