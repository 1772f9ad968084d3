// Depth-first search over every interleaving of visible operations, no reduction.
//
// The tree's nodes are decisions: which enabled thread steps, or which alternative
// a choice takes.  Kept is the path of the last run and, for each decision on it,
// what is still untried:
//
//     next:  go back to the last decision with something untried, take that,
//            and let the runner finish the run as it likes
//     learn: append the decisions the run made beyond the planned ones
//
// Every complete interleaving is run exactly once.
#include "base/mem.h"
#include "explore/strategy.h"

typedef struct decision {
    uint16_t value; // thread, or alternative
    bool is_choice;
    uint32_t untried; // how many of `untried` belong to it, on top of those before
} decision;

typedef struct dfs {
    tsl_strategy base;
    tsl_search search;
    TSL_VEC(decision) path;
    TSL_VEC(uint16_t) untried; // a stack, in the order of the path
    TSL_VEC(uint16_t) enabled; // sorted; while reading a trace
    bool started, waiting;
} dfs;

static tsl_strategy *dfs_new(const tsl_search *search) {
    dfs *d = tsl_alloc(sizeof *d);
    d->base.kind = &tsl_strategy_dfs;
    d->search = *search;
    return &d->base;
}

static void dfs_free(tsl_strategy *strategy) {
    dfs *d = (dfs *)strategy;
    tsl_vec_drop(&d->path);
    tsl_vec_drop(&d->untried);
    tsl_vec_drop(&d->enabled);
    tsl_free(d);
}

// ---------------------------------------------------------------- next

static bool backtrack(dfs *d) {
    while (d->path.len && tsl_vec_last(&d->path).untried == 0)
        d->path.len--;
    if (!d->path.len)
        return false;
    decision *last = &tsl_vec_last(&d->path);
    last->value = tsl_vec_pop(&d->untried);
    last->untried--;
    return true;
}

static enum tsl_next dfs_next(tsl_strategy *strategy, tsl_plan *plan) {
    dfs *d = (dfs *)strategy;
    if (d->waiting)
        return TSL_NEXT_WAIT;
    if (d->started && !backtrack(d))
        return TSL_NEXT_DONE;
    d->started = d->waiting = true;
    plan->seed = 0;
    plan->policy = TSL_POLICY_STAY;
    plan->max_steps = d->search.max_steps;
    plan->flags = d->search.flags | TSL_PLAN_ENABLED;
    tsl_vec_clear(&plan->items);
    for (size_t i = 0; i < d->path.len; i++)
        if (d->path.data[i].is_choice)
            tsl_plan_choice(plan, d->path.data[i].value);
        else
            tsl_plan_step(plan, d->path.data[i].value);
    return TSL_NEXT_PLAN;
}

// ---------------------------------------------------------------- learn

static void set_enabled(dfs *d, uint16_t thread, bool enabled) {
    size_t at = 0;
    while (at < d->enabled.len && d->enabled.data[at] < thread)
        at++;
    bool there = at < d->enabled.len && d->enabled.data[at] == thread;
    if (there == enabled)
        return;
    if (enabled) {
        tsl_vec_push(&d->enabled, 0);
        for (size_t i = d->enabled.len - 1; i > at; i--)
            d->enabled.data[i] = d->enabled.data[i - 1];
        d->enabled.data[at] = thread;
    } else {
        for (size_t i = at; i + 1 < d->enabled.len; i++)
            d->enabled.data[i] = d->enabled.data[i + 1];
        d->enabled.len--;
    }
}

// Untried ones are pushed highest first, so that the lowest is taken first.
static void push_step(dfs *d, uint16_t thread) {
    uint32_t untried = 0;
    for (size_t i = d->enabled.len; i-- > 0;)
        if (d->enabled.data[i] != thread) {
            tsl_vec_push(&d->untried, d->enabled.data[i]);
            untried++;
        }
    tsl_vec_push(&d->path, (decision){.value = thread, .untried = untried});
}

static void push_choice(dfs *d, uint16_t taken, uint64_t alternatives) {
    uint32_t untried = 0;
    for (uint64_t i = alternatives; i-- > 0;)
        if (i != taken) {
            tsl_vec_push(&d->untried, (uint16_t)i);
            untried++;
        }
    tsl_vec_push(&d->path, (decision){.value = taken, .is_choice = true, .untried = untried});
}

static void dfs_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_trace *trace) {
    (void)plan;
    dfs *d = (dfs *)strategy;
    size_t planned = d->path.len, seen = 0;
    tsl_vec_clear(&d->enabled);
    for (size_t i = 0; i < trace->nevents; i++) {
        const tsl_event *e = &trace->events[i];
        if (e->kind == TSL_EV_ENABLE || e->kind == TSL_EV_DISABLE)
            set_enabled(d, e->res, e->kind == TSL_EV_ENABLE);
        else if (e->kind == TSL_EV_CHOICE && seen++ >= planned)
            push_choice(d, e->res, e->addr);
        else if (tsl_event_is_step(e->kind) && seen++ >= planned)
            push_step(d, e->thread);
    }
    d->waiting = false;
}

const tsl_strategy_kind tsl_strategy_dfs = {
    .name = "dfs",
    .help = "every interleaving of visible operations, depth first, no reduction",
    .new = dfs_new,
    .next = dfs_next,
    .learn = dfs_learn,
    .free = dfs_free,
};
