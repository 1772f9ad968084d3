// Search under a bound on preemptions; see bounded.c.
#ifndef TSL_EXPLORE_BOUNDED_H
#define TSL_EXPLORE_BOUNDED_H

#include "explore/strategy.h"

// What dfs and optimal become when search.preemptions is not negative.
extern const tsl_strategy_kind tsl_bounded_dfs, tsl_bounded_optimal;

#endif
