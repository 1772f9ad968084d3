// Random walk: at each step a uniformly chosen enabled thread.
//
// The walk itself is a policy of the runner, so a Plan is nothing but a seed and
// any number of them can be in flight.
#include "base/mem.h"
#include "base/rng.h"
#include "explore/strategy.h"

typedef struct walk {
    tsl_strategy base;
    tsl_search search;
    tsl_rng seeds;
} walk;

static tsl_strategy *walk_new(const tsl_search *search) {
    walk *w = tsl_alloc(sizeof *w);
    w->base.kind = &tsl_strategy_random;
    w->search = *search;
    tsl_rng_init(&w->seeds, search->seed);
    return &w->base;
}

static enum tsl_next walk_next(tsl_strategy *strategy, tsl_plan *plan) {
    walk *w = (walk *)strategy;
    plan->seed = tsl_rng_next(&w->seeds);
    plan->policy = TSL_POLICY_RANDOM;
    plan->max_steps = w->search.max_steps;
    plan->flags = w->search.flags;
    tsl_vec_clear(&plan->items);
    return TSL_NEXT_PLAN;
}

static void walk_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_trace *trace) {
    (void)strategy;
    (void)plan;
    (void)trace;
}

static void walk_free(tsl_strategy *strategy) { tsl_free(strategy); }

const tsl_strategy_kind tsl_strategy_random = {
    .name = "random",
    .help = "random walk: each step a uniformly chosen enabled thread",
    .samples = true,
    .new = walk_new,
    .next = walk_next,
    .learn = walk_learn,
    .free = walk_free,
};
