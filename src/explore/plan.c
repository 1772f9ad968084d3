#include "explore/plan.h"

void tsl_search_plan(const tsl_search *search, enum tsl_policy policy, uint32_t flags,
                     tsl_plan *plan) {
    tsl_plan_clear(plan);
    plan->policy = policy;
    plan->max_steps = search->max_steps;
    plan->flags = search->flags | TSL_PLAN_SYMBOLIC | flags;
    plan->max_branches = search->max_branches;
}

void tsl_plan_add_hops(tsl_plan *plan, const tsl_hop *hops, size_t n) {
    tsl_vec_reserve(&plan->items, plan->items.len + 2 * n);
    tsl_item *item = plan->items.data + plan->items.len;
    int thread = -1; // whose further steps belong to the last item
    for (const tsl_hop *hop = hops; hop < hops + n; hop++) {
        bool chose = hop->choice != TSL_ANY_CHOICE;
        if (chose && tsl_hop_is_branch(*hop))
            continue;
        if (hop->thread == thread)
            item[-1].count++;
        else
            *item++ = (tsl_item){.kind = TSL_ITEM_RUN, .value = hop->thread, .count = 1};
        thread = hop->thread;
        if (!chose)
            continue;
        *item++ = (tsl_item){.kind = TSL_ITEM_CHOICE, .value = hop->choice, .count = 1};
        thread = -1;
    }
    plan->items.len = (size_t)(item - plan->items.data);
}

void tsl_plan_cut(tsl_plan *plan, uint64_t steps) {
    size_t i = 0;
    for (; i < plan->items.len && steps > 0; i++) {
        tsl_item *item = &plan->items.data[i];
        if (item->kind != TSL_ITEM_RUN)
            continue;
        if (item->count > steps)
            item->count = (uint32_t)steps;
        steps -= item->count;
    }
    plan->items.len = i;
}

uint64_t tsl_plan_length(const tsl_plan *plan) {
    uint64_t steps = 0;
    for (size_t i = 0; i < plan->items.len; i++)
        steps += plan->items.data[i].kind == TSL_ITEM_RUN ? plan->items.data[i].count : 0;
    return steps;
}

void tsl_search_stop_plan(const tsl_search *search, const tsl_plan *inputs, tsl_plan *plan) {
    tsl_plan_clear(plan);
    plan->seed = search->seed;
    plan->max_steps = search->max_steps;
    plan->flags = search->flags | TSL_PLAN_STOP | TSL_PLAN_STACKS;
    tsl_plan_copy_inputs(plan, inputs);
}

void tsl_plan_add_step(tsl_plan *plan, const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    if (step->kind == TSL_EV_BRANCH)
        return;
    tsl_plan_step(plan, step->thread);
    if (step->nchoices > 1)
        tsl_plan_choice(plan, step->choice);
}
