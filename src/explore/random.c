// Random walk: at each step a uniformly chosen enabled thread.
//
// The walk itself is a policy of the runner, so a Plan is nothing but a seed and
// any number of them can be in flight.
//
// Inputs are drawn from a pool: those that took a path nobody took before, and those that turn one
// branch of such a path.  Now and then they are drawn anew.
#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/set.h"
#include "explore/inputs.h"
#include "explore/strategy.h"

typedef struct walk {
    tsl_strategy base;
    tsl_search search;
    tsl_rng seeds;
    // Inputs found so far; empty while the program asks for none.
    tsl_inputs inputs;
    tsl_import nodes;
    TSL_VEC(uint32_t) pool; // sets that took different paths
    tsl_set paths;          // that were seen, and branches that were turned
    tsl_path_condition conditions;
} walk;

enum { MOST_SETS = 4096, FRESH = 8 };

static tsl_strategy *walk_new(const tsl_search *search) {
    walk *w = tsl_alloc(sizeof *w);
    w->base.kind = &tsl_strategy_random;
    w->search = *search;
    tsl_rng_init(&w->seeds, search->seed);
    tsl_inputs_init(&w->inputs, search->seed, &search->solver);
    tsl_import_init(&w->nodes);
    w->base.inputs = &w->inputs;
    return &w->base;
}

static void walk_free(tsl_strategy *strategy) {
    walk *w = (walk *)strategy;
    tsl_inputs_drop(&w->inputs);
    tsl_import_drop(&w->nodes);
    tsl_vec_drop(&w->pool);
    tsl_vec_drop(&w->conditions);
    tsl_set_drop(&w->paths);
    tsl_free(w);
}

static enum tsl_next walk_next(tsl_strategy *strategy, tsl_plan *plan) {
    walk *w = (walk *)strategy;
    plan->seed = tsl_rng_next(&w->seeds);
    plan->policy = TSL_POLICY_RANDOM;
    plan->max_steps = w->search.max_steps;
    plan->flags = w->search.flags | TSL_PLAN_SYMBOLIC;
    plan->max_branches = w->search.max_branches;
    tsl_vec_clear(&plan->items);
    uint32_t set = 0;
    if (w->pool.len && tsl_rng_below(&w->seeds, FRESH) != 0)
        set = w->pool.data[tsl_rng_below(&w->seeds, w->pool.len)];
    tsl_inputs_to_plan(&w->inputs, set, plan);
    if (!set)
        plan->input_seed = plan->seed;
    return TSL_NEXT_PLAN;
}

static void keep(walk *w, uint32_t set) {
    if (w->pool.len < MOST_SETS)
        tsl_vec_push(&w->pool, set);
    else {
        uint32_t *old = &w->pool.data[tsl_rng_below(&w->seeds, w->pool.len)];
        tsl_inputs_release(&w->inputs, *old);
        *old = set;
    }
}

// One of the branches that were never turned on the way to it, at random, is: what it takes goes
// into the pool.
static void turn_one(walk *w, const tsl_trace *trace, uint32_t set) {
    uint64_t prefix = 0, n = 0;
    size_t chosen = 0;
    tsl_term goal = {0};
    tsl_vec_clear(&w->conditions);
    for (size_t i = 0; i < trace->nevents; i++) {
        const tsl_event *e = &trace->events[i];
        tsl_term cond;
        if (e->kind != TSL_EV_BRANCH || !(cond = tsl_import_term(&w->nodes, (uint32_t)e->addr)).i)
            continue;
        if (!(e->res & TSL_BRANCH_TRUE))
            cond = tsl_term_not(w->inputs.terms, cond);
        tsl_term other = tsl_term_not(w->inputs.terms, cond);
        bool tried = tsl_set_has(&w->paths, tsl_hash_u64(prefix, other.i));
        prefix = tsl_hash_u64(prefix, cond.i);
        if (!tried && !tsl_term_is_const(w->inputs.terms, cond) &&
            tsl_rng_below(&w->seeds, ++n) == 0) {
            chosen = w->conditions.len;
            goal = other;
        }
        tsl_vec_push(&w->conditions, cond);
    }
    if (!goal.i)
        return;
    prefix = 0;
    for (size_t i = 0; i < chosen; i++)
        prefix = tsl_hash_u64(prefix, w->conditions.data[i].i);
    tsl_set_insert(&w->paths, tsl_hash_u64(prefix, goal.i));
    w->conditions.len = chosen;
    tsl_inputs_hold(&w->inputs, set);
    if (tsl_inputs_solve(&w->inputs, &w->conditions, goal, &set) == TSL_SAT)
        keep(w, set);
    else
        tsl_inputs_release(&w->inputs, set);
}

static uint64_t path_of(const walk *w, const tsl_trace *trace) {
    uint64_t path = 1;
    for (size_t i = 0; i < trace->nevents; i++)
        if (trace->events[i].kind == TSL_EV_BRANCH)
            path = tsl_hash_u64(
                path,
                (uint64_t)tsl_import_term(&w->nodes, (uint32_t)trace->events[i].addr).i << 16 |
                    trace->events[i].res);
    return path;
}

static void walk_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_trace *trace) {
    walk *w = (walk *)strategy;
    tsl_err err = {0};
    (void)plan;
    if (!trace->nnodes || !tsl_import_read(&w->nodes, w->inputs.terms, &w->inputs.vars,
                                           trace->nodes, trace->nnodes, &err))
        return;
    if (w->search.solver.check)
        tsl_inputs_check(&w->inputs, &w->nodes);
    uint32_t set = tsl_inputs_of_run(&w->inputs, &w->nodes);
    if (!set)
        return;
    turn_one(w, trace, set);
    if (tsl_set_insert(&w->paths, path_of(w, trace)))
        keep(w, set);
    else
        tsl_inputs_release(&w->inputs, set);
}

const tsl_strategy_kind tsl_strategy_random = {
    .name = "random",
    .help = "random walk: each step a uniformly chosen enabled thread",
    .samples = true,
    .new = walk_new,
    .next = walk_next,
    .learn = walk_learn,
    .free = walk_free,
};
