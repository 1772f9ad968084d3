// Which strategies are there?  The first one is the default.
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
    &tsl_strategy_random,
    &tsl_strategy_rapos,
    &tsl_strategy_pct,
    &tsl_strategy_pos,
    &tsl_strategy_surw,
    NULL,
};
