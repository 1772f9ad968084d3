// A Plan: everything that decides a run; see plan.h.
#include "trace/plan.h"

#include <string.h>

// A run is cut after so many steps, unless the user says otherwise.
#define DEFAULT_MAX_STEPS 1000000

static const char *const policy_names[TSL_POLICY_COUNT] = {
    [TSL_POLICY_STAY] = "stay",
    [TSL_POLICY_FAIR] = "fair",
    [TSL_POLICY_EAGER] = "eager",
#define TSL_SAMPLER(NAME, name, wants, help) [TSL_POLICY_##NAME] = #name,
#include "abi/samplers.def"
#undef TSL_SAMPLER
};

const char *tsl_policy_name(uint32_t policy) {
    return policy < TSL_POLICY_COUNT ? policy_names[policy] : "unknown";
}

static const tsl_plan fresh = {
    .max_steps = DEFAULT_MAX_STEPS, .policy = TSL_POLICY_STAY, .max_branches = UINT32_MAX};

void tsl_plan_init(tsl_plan *plan) { *plan = fresh; }

#define LISTS(LIST) LIST(items) LIST(sleep) LIST(order) LIST(inputs) LIST(input_bytes) LIST(weights)

void tsl_plan_drop(tsl_plan *plan) {
#define DROP(list) tsl_vec_drop(&plan->list);
    LISTS(DROP)
}

// A Plan keeps the memory of its lists, because strategies fill and copy Plans all the time.
enum { BEFORE_LISTS = offsetof(tsl_plan, items) };
#define CLEAR(list) to->list.len = 0;
#define APPEND(list) tsl_vec_append(&to->list, from->list.data, from->list.len);

void tsl_plan_clear(tsl_plan *to) {
    memcpy(to, &fresh, BEFORE_LISTS);
    LISTS(CLEAR)
}

void tsl_plan_copy(tsl_plan *to, const tsl_plan *from) {
    if (to == from)
        return;
    memcpy(to, from, BEFORE_LISTS);
    LISTS(CLEAR)
    LISTS(APPEND)
}

void tsl_plan_copy_inputs(tsl_plan *to, const tsl_plan *from) {
    CLEAR(inputs)
    CLEAR(input_bytes)
    APPEND(inputs)
    APPEND(input_bytes)
    to->input_seed = from->input_seed;
}

void tsl_plan_step(tsl_plan *plan, uint16_t thread) { tsl_plan_steps(plan, thread, 1); }

void tsl_plan_steps(tsl_plan *plan, uint16_t thread, uint32_t count) {
    tsl_items *items = &plan->items;
    if (items->len) {
        tsl_item *last = &tsl_vec_last(items);
        if (last->kind == TSL_ITEM_RUN && last->value == thread &&
            last->count <= UINT32_MAX - count) {
            last->count += count;
            return;
        }
    }
    tsl_vec_push(items, (tsl_item){.kind = TSL_ITEM_RUN, .value = thread, .count = count});
}

void tsl_plan_add_input(tsl_plan *plan, uint32_t thread, uint32_t index, const void *bytes,
                        uint32_t size) {
    tsl_vec_push(&plan->inputs,
                 (tsl_planned_input){thread, index, size, (uint32_t)plan->input_bytes.len});
    tsl_vec_append(&plan->input_bytes, (const uint8_t *)bytes, size);
}

void tsl_plan_choice(tsl_plan *plan, uint16_t alternative) {
    tsl_vec_push(&plan->items,
                 (tsl_item){.kind = TSL_ITEM_CHOICE, .value = alternative, .count = 1});
}
