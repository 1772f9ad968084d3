#include "explore/reversal.h"

// ---------------------------------------------------------------- making

bool tsl_reversal_of_race(tsl_reversal *v, const tsl_history *h, const tsl_race *race,
                          tsl_step_list *rest) {
    if (!tsl_race_rest(h, race, rest))
        return false;
    bool arrival = h->steps.data[race->first].kind == TSL_EV_BARRIER_ARRIVE;
    *v = (tsl_reversal){.h = h,
                        .rest = rest,
                        .n = rest->len + 1,
                        .woken_by = tsl_vec_last(&h->steps).woken_by,
                        .without = arrival ? race->first : TSL_NONE};
    v->sure = tsl_race_second(h, race, rest, &v->last);
    tsl_op was = tsl_history_op(h, (uint32_t)h->steps.len - 1);
    tsl_op most = v->sure ? v->last : tsl_op_at_most(&v->last);
    for (unsigned i = 0; i < was.naccesses; i++)
        v->grows |= was.access[i].role == TSL_ROLE_READ && most.access[i].role != TSL_ROLE_READ;
    return true;
}

void tsl_reversal_of_op(tsl_reversal *v, const tsl_history *h, uint32_t s, const tsl_op *op,
                        tsl_step_list *rest) {
    tsl_vec_clear(rest);
    for (uint32_t j = s + 1; j < h->steps.len; j++)
        if (!tsl_history_before(h, s, j))
            tsl_vec_push(rest, j);
    *v = (tsl_reversal){.h = h,
                        .rest = rest,
                        .n = rest->len + 1,
                        .last = *op,
                        .sure = true,
                        .woken_by = TSL_NONE,
                        .without = TSL_NONE};
}

// ---------------------------------------------------------------- steps

// As it is in v, where the arrival it raced with is missing.
tsl_op tsl_reversal_op(const tsl_reversal *v, size_t i) {
    if (i + 1 == v->n)
        return v->last;
    tsl_op op = tsl_history_op(v->h, v->rest->data[i]);
    if (v->without != TSL_NONE && op.kind == TSL_EV_BARRIER_ARRIVE &&
        op.access[0].addr == v->h->steps.data[v->without].key)
        op.access[0].res++;
    return op;
}

static unsigned thread_of(const tsl_reversal *v, size_t i) {
    return i + 1 == v->n ? v->last.thread : v->h->steps.data[v->rest->data[i]].thread;
}

// ---------------------------------------------------------------- initials

static bool is_before_last(const tsl_reversal *v, size_t i) {
    if (v->rest->data[i] == v->woken_by)
        return true;
    if (v->sure && v->last.kind != TSL_EV_BARRIER_ARRIVE)
        return tsl_history_conflict(v->h, &v->last, v->rest->data[i]);
    tsl_op op = tsl_reversal_op(v, i), last = v->sure ? v->last : tsl_op_at_most(&v->last);
    return tsl_op_conflict(&op, &last);
}

bool tsl_reversal_initial(const tsl_reversal *v, size_t k) {
    for (size_t i = 0; i < k; i++)
        if (k + 1 == v->n ? is_before_last(v, i)
                          : tsl_history_before(v->h, v->rest->data[i], v->rest->data[k]))
            return false;
    return true;
}

bool tsl_reversal_begins(const tsl_reversal *v, unsigned thread) {
    for (size_t i = 0; i < v->n; i++)
        if (thread_of(v, i) == thread)
            return tsl_reversal_initial(v, i);
    return false;
}
