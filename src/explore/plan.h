// How does a strategy make a Plan out of the settings of the search and the prefix of a run?
#ifndef TSL_EXPLORE_PLAN_H
#define TSL_EXPLORE_PLAN_H

#include "explore/inputs.h"
#include "explore/strategy.h"

enum {
    TSL_ANY_CHOICE = 0xffff,
    TSL_BRANCH_CHOICE = 0x8000 // | enum tsl_branch_res: inputs decide, not the Plan
};

// One step of a prefix.
typedef struct tsl_hop {
    uint16_t thread;
    uint16_t choice; // TSL_ANY_CHOICE if the step has no choice, or may choose anything
    tsl_term cond;   // of an input branch: the condition under which it goes that way
    tsl_term pinned; // of a pin: the term that is to have one value
} tsl_hop;

static inline bool tsl_hop_is_branch(tsl_hop hop) {
    return hop.choice != TSL_ANY_CHOICE && (hop.choice & TSL_BRANCH_CHOICE);
}

static inline bool tsl_hop_is_pin(tsl_hop hop) {
    return tsl_hop_is_branch(hop) && (hop.choice & TSL_BRANCH_PIN);
}

// How many steps does the schedule prefix have?
uint64_t tsl_plan_length(const tsl_plan *plan);

// These two empty the Plan, whatever it was used for before.
//
// A Plan of the search.  `flags` are added to those that all Plans of the search have.
void tsl_search_plan(const tsl_search *search, enum tsl_policy policy, uint32_t flags,
                     tsl_plan *plan);
// A Plan that ends where its prefix ends, to show where the threads stand there.  The values of its
// inputs are those of the other Plan.
void tsl_search_stop_plan(const tsl_search *search, const tsl_plan *inputs, tsl_plan *plan);

// Keeps so many steps of the schedule prefix.
void tsl_plan_cut(tsl_plan *plan, uint64_t steps);

// These two append to the schedule prefix, without input branches, which take no turn.
void tsl_plan_add_hops(tsl_plan *plan, const tsl_hop *hops, size_t n);
void tsl_plan_add_step(tsl_plan *plan, const tsl_history *h, uint32_t s);

#endif
