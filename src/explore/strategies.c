// Which strategies are there?  See strategies.def.
#include "explore/strategy.h"

const tsl_strategy_kind *const tsl_strategies[] = {
#define TSL_STRATEGY(id) &tsl_strategy_##id,
#include "explore/strategies.def"
#undef TSL_STRATEGY
    NULL,
};
