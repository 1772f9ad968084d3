#include "explore/pool.h"

#include "base/hash.h"

enum {
    MOST_SETS = 4096,
    FRESH = 8 // one draw of this many is fresh
};

void tsl_pool_init(tsl_pool *p, const tsl_search *search) {
    *p = (tsl_pool){0};
    p->inputs = tsl_inputs_get(search->inputs, &search->solver);
    tsl_import_init(&p->import);
}

void tsl_pool_drop(tsl_pool *p) {
    tsl_inputs_drop(p->inputs);
    tsl_import_drop(&p->import);
    tsl_vec_drop(&p->sets);
    tsl_vec_drop(&p->conditions);
    tsl_set_drop(&p->paths);
}

// Is the next draw to be fresh?  As long as there are simple values left, they take turns with sets
// of the pool.
static bool is_fresh(tsl_pool *p, tsl_rng *rng) {
    if (!p->sets.len)
        return true;
    p->draws++;
    return p->drawn < TSL_SIMPLE_COUNT ? p->draws % 2 == 0 : tsl_rng_below(rng, FRESH) == 0;
}

void tsl_pool_draw(tsl_pool *p, tsl_rng *rng, tsl_plan *plan) {
    bool fresh = is_fresh(p, rng);
    uint32_t set = fresh ? 0 : p->sets.data[tsl_rng_below(rng, p->sets.len)];
    tsl_inputs_to_plan(p->inputs, set, plan);
    if (!set)
        plan->input_seed =
            p->drawn < TSL_SIMPLE_COUNT ? TSL_SIMPLE_INPUTS + p->drawn++ : plan->seed;
}

// Adds a set; if the pool is full, the set replaces another one.
static void keep(tsl_pool *p, tsl_rng *rng, uint32_t set) {
    if (p->sets.len < MOST_SETS)
        tsl_vec_push(&p->sets, set);
    else {
        uint32_t *old = &p->sets.data[tsl_rng_below(rng, p->sets.len)];
        tsl_inputs_release(p->inputs, *old);
        *old = set;
    }
}

// Picks at random one branch of the run that was never turned after the same prefix, and adds
// inputs that turn it to the pool.
static void turn_one(tsl_pool *p, tsl_rng *rng, const tsl_run *run, uint32_t set) {
    uint64_t prefix = 0, n = 0;
    size_t chosen = 0;
    tsl_term goal = {0};
    tsl_vec_clear(&p->conditions);
    tsl_decision d;
    for (size_t at = 0; tsl_run_decision(run, &at, &d);) {
        tsl_term cond = {0};
        if (d.is_branch)
            cond = tsl_inputs_condition(p->inputs, &p->import, d.label, d.taken);
        if (!cond.i)
            continue;
        tsl_term other = tsl_term_not(p->inputs->terms, cond);
        bool tried = tsl_set_has(&p->paths, tsl_hash_u64(prefix, other.i));
        prefix = tsl_hash_u64(prefix, cond.i);
        if (!tried && !tsl_term_is_const(p->inputs->terms, cond) && tsl_rng_below(rng, ++n) == 0) {
            chosen = p->conditions.len;
            goal = other;
        }
        tsl_vec_push(&p->conditions, cond);
    }
    if (!goal.i)
        return;
    prefix = 0;
    for (size_t i = 0; i < chosen; i++)
        prefix = tsl_hash_u64(prefix, p->conditions.data[i].i);
    tsl_set_insert(&p->paths, tsl_hash_u64(prefix, goal.i));
    p->conditions.len = chosen;
    tsl_inputs_hold(p->inputs, set);
    if (tsl_inputs_solve(p->inputs, &p->conditions, goal, &set) == TSL_SAT)
        keep(p, rng, set);
    else
        tsl_inputs_release(p->inputs, set);
}

static uint64_t path_of(const tsl_pool *p, const tsl_run *run) {
    uint64_t path = 1;
    tsl_decision d;
    for (size_t at = 0; tsl_run_decision(run, &at, &d);)
        if (d.is_branch)
            path = tsl_hash_u64(
                path, (uint64_t)tsl_import_term(&p->import, (uint32_t)d.label).i << 16 | d.taken);
    return path;
}

void tsl_pool_learn(tsl_pool *p, tsl_rng *rng, const tsl_run *run) {
    uint32_t set = 0;
    if (!tsl_inputs_read(p->inputs, &p->import, run, &set) || !set) {
        tsl_inputs_release(p->inputs, set);
        return;
    }
    turn_one(p, rng, run, set);
    if (tsl_set_insert(&p->paths, path_of(p, run)))
        keep(p, rng, set);
    else
        tsl_inputs_release(p->inputs, set);
}
