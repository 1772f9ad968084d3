// Inputs for samplers: those that took a path nobody took before, and those that turn one
// branch of such a path.  Now and then they are drawn anew.
#ifndef TSL_EXPLORE_POOL_H
#define TSL_EXPLORE_POOL_H

#include "base/rng.h"
#include "base/set.h"
#include "explore/inputs.h"
#include "explore/strategy.h"

// Empty while the program asks for none.
typedef struct tsl_pool {
    tsl_inputs *inputs;
    tsl_import nodes;
    TSL_VEC(uint32_t) sets; // that took different paths
    tsl_set paths;          // that were seen, and branches that were turned
    tsl_path_condition conditions;
    unsigned drawn; // simple values, of enum tsl_simple_inputs
    uint64_t draws; // since there are sets
} tsl_pool;

void tsl_pool_init(tsl_pool *pool, const tsl_search *search);
void tsl_pool_drop(tsl_pool *pool);
void tsl_pool_draw(tsl_pool *pool, tsl_rng *rng, tsl_plan *plan);
void tsl_pool_learn(tsl_pool *pool, tsl_rng *rng, const tsl_run *run);

#endif
