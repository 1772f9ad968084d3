// A toy strategy: every schedule, breadth first: each run goes one step further than another one.
// docs/strategy.md explains it.
#include "base/mem.h"
#include "toy/toy.h"

typedef struct toy {
    tsl_strategy base; // comes first, so that a toy is a tsl_strategy
    TSL_VEC(tsl_plan) queue;
    size_t offered, learned; // so many from the beginning of the queue
} toy;

// The caller appends a step or a choice to the new Plan.
static tsl_plan *add(toy *t, const tsl_plan *plan) {
    tsl_vec_push(&t->queue, (tsl_plan){0});
    tsl_plan_copy(&tsl_vec_last(&t->queue), plan);
    return &tsl_vec_last(&t->queue);
}

static tsl_strategy *toy_new(const tsl_search *search) {
    toy *t = tsl_alloc(sizeof *t);
    t->base.kind = &tsl_strategy_toy;
    uint32_t flags = TSL_PLAN_STOP | TSL_PLAN_ENABLED | TSL_PLAN_SPIN_ENDS;
    tsl_search_plan(search, TSL_POLICY_STAY, flags, add(t, &(tsl_plan){0}));
    return &t->base;
}

static enum tsl_next toy_next(tsl_strategy *strategy, tsl_plan *plan) {
    toy *t = (toy *)strategy;
    if (t->offered == t->queue.len)
        return t->learned < t->offered ? TSL_NEXT_WAIT : TSL_NEXT_DONE;
    tsl_plan_copy(plan, &t->queue.data[t->offered++]);
    return TSL_NEXT_PLAN;
}

static void toy_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run) {
    toy *t = (toy *)strategy;
    tsl_enabled enabled = {0};
    tsl_step_view step;
    size_t last;
    tsl_plan_drop(&t->queue.data[t->learned++]);
    t->base.redundant = run->outcome == TSL_OUT_STOPPED; // it is the beginning of others
    tsl_run_enabled(run, tsl_run_end(run), &enabled);
    for (size_t i = 0; t->base.redundant && i < enabled.threads.len; i++)
        tsl_plan_step(add(t, plan), enabled.threads.data[i]);
    if (t->base.redundant && !enabled.threads.len) // a deadlock, which only shows if it goes on
        add(t, plan)->flags &= ~(uint32_t)TSL_PLAN_STOP;
    bool chose = plan->items.len && tsl_vec_last(&plan->items).kind == TSL_ITEM_CHOICE;
    if (!chose && tsl_run_last_step(run, &last) && tsl_run_step(run, last, &step))
        for (uint16_t i = 0; i < step.nchoices; i++)
            if (i != step.choice)
                tsl_plan_choice(add(t, plan), i);
    tsl_claim_weaken(&t->base.claim, TSL_REASON_CONCRETISED, run->trace.nnodes > 1);
    tsl_claim_weaken(&t->base.claim, TSL_REASON_FINDING, tsl_outcome_stops(run->outcome));
    tsl_enabled_drop(&enabled);
}

static void toy_free(tsl_strategy *strategy) {
    toy *t = (toy *)strategy;
    for (size_t i = t->learned; i < t->queue.len; i++)
        tsl_plan_drop(&t->queue.data[i]);
    tsl_vec_drop(&t->queue);
    tsl_free(t);
}

const tsl_strategy_kind tsl_strategy_toy = {.name = "toy",
                                            .help = "every schedule, breadth first",
                                            .new = toy_new,
                                            .next = toy_next,
                                            .learn = toy_learn,
                                            .free = toy_free};
