// Every strategy there is; the first one is the default.
#include "explore/strategy.h"

const tsl_strategy_kind *const tsl_strategies[] = {
    &tsl_strategy_portfolio,
    &tsl_strategy_optimal,
    &tsl_strategy_source,
    &tsl_strategy_dpor_cr_sleep,
    &tsl_strategy_dpor_cr,
    &tsl_strategy_dpor,
    &tsl_strategy_raceflip_opt,
    &tsl_strategy_raceflip,
    &tsl_strategy_raceflip_simple,
    &tsl_strategy_dfs,
    &tsl_strategy_paths,
#define TSL_SAMPLER(NAME, name, wants, help) &tsl_strategy_##name,
#include "abi/samplers.def"
#undef TSL_SAMPLER
    NULL,
};
