// The table of src/explore/strategies.c, for programs that are linked with the toy strategy.
#include "toy/toy.h"

const tsl_strategy_kind *const tsl_strategies[] = {
    &tsl_strategy_toy,
    &tsl_strategy_optimal,
    &tsl_strategy_dfs,
    NULL,
};
