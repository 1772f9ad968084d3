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

// Empties the Plan and fills in what all Plans of the search have in common.  `flags` are added to
// those of the search.
void tsl_search_plan(const tsl_search *search, enum tsl_policy policy, uint32_t flags,
                     tsl_plan *plan);
// Appends n steps to the schedule prefix, without input branches, which take no turn.
void tsl_plan_add_hops(tsl_plan *plan, const tsl_hop *hops, size_t n);

#endif
