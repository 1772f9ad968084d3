// What a row of src/explore/strategies.def declares.
#ifndef TSL_TESTS_TOY_H
#define TSL_TESTS_TOY_H

#include "explore/plan.h"

extern const tsl_strategy_kind tsl_strategy_toy;

#endif
