// Which inputs do samplers use?
//
// The pool keeps sets of inputs that took a new path, and sets that turn one input branch of such a
// path.  Most samples draw one of them; now and then a sample gets fresh values instead.
#ifndef TSL_EXPLORE_POOL_H
#define TSL_EXPLORE_POOL_H

#include "base/rng.h"
#include "base/set.h"
#include "explore/inputs.h"
#include "explore/strategy.h"

// The pool is empty as long as the program asks for no inputs.
typedef struct tsl_pool {
    tsl_inputs *inputs;
    tsl_import import;             // expressions of the last run
    TSL_VEC(uint32_t) sets;        // each takes another path
    tsl_set paths;                 // hashes of the paths seen, and of the branches turned
    tsl_path_condition conditions; // scratch
    unsigned drawn;                // how many simple values (enum tsl_simple_inputs) were drawn
    uint64_t draws;                // how many draws there were since the pool has sets
} tsl_pool;

void tsl_pool_init(tsl_pool *pool, const tsl_search *search);
void tsl_pool_drop(tsl_pool *pool);
// Fills in the inputs of a Plan.
void tsl_pool_draw(tsl_pool *pool, tsl_rng *rng, tsl_plan *plan);
// Adds what a run has shown to the pool.
void tsl_pool_learn(tsl_pool *pool, tsl_rng *rng, const tsl_run *run);

#endif
