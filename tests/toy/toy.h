// The line that a strategy has in src/explore/strategy.h.
#ifndef TSL_TESTS_TOY_H
#define TSL_TESTS_TOY_H

#include "explore/plan.h"

extern const tsl_strategy_kind tsl_strategy_toy;

#endif
