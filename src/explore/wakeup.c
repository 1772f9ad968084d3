// What is a wakeup sequence made of, and what covers it?
#include "explore/wakeup.h"

#include "base/deadline.h"
#include "explore/wakeup_quick.h"

void tsl_wakeup_room_drop(tsl_wakeup_room *room) {
    tsl_vec_drop(&room->steps);
    tsl_vec_drop(&room->gone);
    tsl_vec_drop(&room->gone_of);
    tsl_vec_drop(&room->keep);
    tsl_vec_drop(&room->awaken);
}

// ---------------------------------------------------------------- reversals

tsl_reversal_list *tsl_cursor_reversals(tsl_cursor *c) { return &c->reversals; }

static bool is_by_value(const tsl_op *op) {
    for (unsigned i = 0; i < op->naccesses; i++)
        if (tsl_op_by_value(op->access[i].kind))
            return true;
    return false;
}

// Could the step have another result elsewhere?
static bool varies(const tsl_history *h, const tsl_op *op) {
    for (unsigned i = 0; i < op->naccesses; i++)
        if (tsl_op_varies(op->access[i].kind) &&
            !(h->coarse && tsl_op_by_value(op->access[i].kind)))
            return true;
    return false;
}

void tsl_reversals_keep(tsl_tree *tree, tsl_cursor *c, const tsl_race_list *races, bool pending) {
    const tsl_history *h = &c->history;
    uint32_t second = (uint32_t)h->steps.len - 1;
    tsl_op op = tsl_history_op(h, second);
    bool fixed = !varies(h, &op);
    tsl_vec_reserve(&c->reversals, c->reversals.len + races->len);
    for (size_t i = 0; i < races->len; i++) {
        const tsl_race *race = &races->data[i];
        bool usual = race->without == TSL_NONE && fixed;
        if (!usual && !tsl_race_rest(h, race, &tree->room.steps))
            continue; // the race can't be reversed
        tsl_reversal *r = &c->reversals.data[c->reversals.len++];
        r->race = *race;
        r->at = second;
        r->second = pending ? TSL_NONE : second;
        r->woken_by = h->steps.data[second].woken_by;
        r->settled = TSL_NONE;
        r->as_was = usual && !pending;
        r->sure = usual || tsl_race_second(h, race, &tree->room.steps, &r->op);
        if (usual)
            r->op = op;
        if (!r->sure && !h->coarse && is_by_value(&r->op))
            tsl_tree_start_over(tree);
        tsl_tree_order_race(tree, h->steps.data[race->first].thread, op.thread);
    }
}

// ---------------------------------------------------------------- making

static void nothing_is_gone(tsl_wakeup *v) {
    tsl_vec_reserve(&v->room->gone, v->n);
    v->gone = v->room->gone.data;
    v->from = 0;
    memset(v->gone, 0, v->n);
}

static void skip_gone(tsl_wakeup *v) {
    while (v->from < v->n && v->gone[v->from])
        v->from++;
}

// The steps of v are in the room.
static void list(tsl_wakeup *v) {
    v->quick = false;
    v->steps = v->room->steps.data;
    v->n = v->room->steps.len + 1;
    nothing_is_gone(v);
}

static void start(tsl_wakeup *v, tsl_tree *tree, const tsl_cursor *c, uint32_t first,
                  const tsl_op *last) {
    *v = (tsl_wakeup){.room = &tree->room, .h = &c->history, .cursor = c, .inputs = c->inputs};
    v->first = first;
    v->last = last;
    v->last_is_sure = true;
    v->second = v->woken_by = v->without = TSL_NONE;
}

static uint32_t missing_arrival(const tsl_history *h, uint32_t first) {
    return h->steps.data[first].kind == TSL_EV_BARRIER_ARRIVE ? first : TSL_NONE;
}

static bool last_grows(const tsl_wakeup *v) {
    tsl_op was = tsl_history_op(v->h, (uint32_t)v->h->steps.len - 1);
    tsl_op most = v->last_is_sure ? *v->last : tsl_op_at_most(v->last);
    for (unsigned i = 0; i < was.naccesses; i++)
        if (was.access[i].role == TSL_ROLE_READ && most.access[i].role != TSL_ROLE_READ)
            return true;
    return false;
}

bool tsl_wakeup_of_race(tsl_wakeup *v, tsl_tree *tree, const tsl_cursor *c, const tsl_race *race) {
    const tsl_history *h = &c->history;
    tsl_wakeup_room *room = &tree->room;
    if (!tsl_race_rest(h, race, &room->steps))
        return false;
    start(v, tree, c, race->first, &room->last);
    list(v);
    v->last_is_sure = tsl_race_second(h, race, &room->steps, &room->last);
    v->woken_by = tsl_vec_last(&h->steps).woken_by;
    v->without = missing_arrival(h, v->first);
    v->grows = last_grows(v);
    return true;
}

void tsl_wakeup_of_op(tsl_wakeup *v, tsl_tree *tree, const tsl_cursor *c, uint32_t s,
                      const tsl_op *op) {
    tsl_race race = {.first = s, .without = TSL_NONE};
    start(v, tree, c, s, op);
    tsl_race_rest_of_all(v->h, &race, TSL_NONE, &v->room->steps);
    list(v);
}

void tsl_wakeup_listed(tsl_wakeup *v, tsl_tree *tree, const tsl_cursor *c, const tsl_reversal *r) {
    start(v, tree, c, r->race.first, &r->op);
    v->last_is_sure = r->sure;
    v->woken_by = r->woken_by;
    v->used = r->at;
    v->without = missing_arrival(v->h, v->first);
    tsl_race_rest_of_all(v->h, &r->race, r->second, &v->room->steps);
    list(v);
}

void tsl_wakeup_list(tsl_wakeup *v) {
    tsl_race race = {.first = v->first, .without = TSL_NONE};
    tsl_race_rest_of_all(v->h, &race, v->second, &v->room->steps);
    list(v);
    for (size_t i = 0; i + 1 < v->n; i++)
        v->gone[i] = quick_is_gone(v, v->steps[i]);
    v->gone[v->n - 1] = v->last_is_gone;
    skip_gone(v);
    if (!v->as_was)
        v->second = TSL_NONE;
}

void tsl_wakeup_stored(tsl_wakeup *v, tsl_tree *tree, const tsl_doubt *d) {
    *v = (tsl_wakeup){.room = &tree->room, .doubt = d, .n = d->n};
    v->last = &d->ops[d->n - 1];
    v->last_is_sure = d->last_is_sure;
    v->inputs = d->inputs;
    v->second = v->woken_by = v->without = TSL_NONE;
    nothing_is_gone(v);
}

tsl_doubt *tsl_wakeup_store(const tsl_wakeup *v) {
    size_t n = v->n, left = 0;
    tsl_doubt *d = tsl_alloc(sizeof *d + n * (sizeof *d->ops + sizeof *d->hops + n * sizeof(bool)));
    size_t *at = tsl_alloc(n * sizeof *at);
    for (size_t i = 0; i < n; i++)
        if (!v->gone[i])
            at[left++] = i;
    d->n = (uint32_t)left;
    d->last_is_sure = v->last_is_sure;
    d->inputs = v->inputs;
    d->hops = (tsl_hop *)&d->ops[left];
    d->before = (bool *)&d->hops[left];
    for (size_t i = 0; i < left; i++) {
        d->ops[i] = tsl_wakeup_op(v, at[i]);
        d->hops[i] = tsl_wakeup_hop(v, at[i]);
        for (size_t k = i + 1; k < left; k++)
            d->before[i * left + k] = tsl_wakeup_before(v, at[i], at[k]) == TSL_ANSWER_YES;
    }
    tsl_free(at);
    return d;
}

// ---------------------------------------------------------------- the steps

static bool is_last(const tsl_wakeup *v, size_t i) { return i + 1 == v->n; }

tsl_hop tsl_wakeup_hop(const tsl_wakeup *v, size_t i) {
    if (v->doubt)
        return v->doubt->hops[i];
    if (is_last(v, i))
        return (tsl_hop){.thread = v->last->thread, .choice = TSL_ANY_CHOICE};
    return v->cursor->path.data[v->steps[i]];
}

// The step as it is in v, where the arrival that e' raced with is missing.
tsl_op tsl_wakeup_op(const tsl_wakeup *v, size_t i) {
    if (is_last(v, i))
        return *v->last;
    if (v->doubt)
        return v->doubt->ops[i];
    tsl_op op = tsl_history_op(v->h, v->steps[i]);
    if (v->without != TSL_NONE && op.kind == TSL_EV_BARRIER_ARRIVE &&
        op.access[0].addr == v->h->steps.data[v->without].key)
        op.access[0].res++;
    return op;
}

size_t tsl_wakeup_next(const tsl_wakeup *v, unsigned thread) {
    const tsl_step *all = v->doubt ? NULL : v->h->steps.data;
    const uint32_t *steps = v->steps;
    size_t last = v->n - 1;
    for (size_t i = v->from; i < last; i++)
        if ((all ? all[steps[i]].thread : v->doubt->ops[i].thread) == thread && !v->gone[i])
            return i;
    return !v->gone[last] && v->last->thread == thread ? last : v->n;
}

// ---------------------------------------------------------------- dependence in doubt

static enum tsl_answer conflict(const tsl_op *a, bool a_sure, const tsl_op *b, bool b_sure) {
    if (a_sure && b_sure)
        return tsl_answer_of(tsl_op_conflict(a, b));
    tsl_op a1 = a_sure ? *a : tsl_op_at_most(a), a2 = a_sure ? *a : tsl_op_at_least(a);
    tsl_op b1 = b_sure ? *b : tsl_op_at_most(b), b2 = b_sure ? *b : tsl_op_at_least(b);
    bool x = tsl_op_conflict(&a1, &b1);
    if (x != tsl_op_conflict(&a1, &b2) || x != tsl_op_conflict(&a2, &b1) ||
        x != tsl_op_conflict(&a2, &b2))
        return TSL_ANSWER_UNKNOWN;
    return tsl_answer_of(x);
}

enum tsl_answer tsl_wakeup_before(const tsl_wakeup *v, size_t i, size_t k) {
    if (v->doubt)
        return tsl_answer_of(v->doubt->before[i * v->n + k]);
    uint32_t step = v->steps[i];
    if (!is_last(v, k))
        return tsl_answer_of(tsl_history_before(v->h, step, v->steps[k]));
    if (step == v->woken_by)
        return TSL_ANSWER_YES;
    if (v->last_is_sure && v->last->kind != TSL_EV_BARRIER_ARRIVE)
        return tsl_answer_of(tsl_history_conflict(v->h, v->last, step));
    tsl_op op = tsl_wakeup_op(v, i);
    return conflict(&op, true, v->last, v->last_is_sure);
}

// ---------------------------------------------------------------- weak initials, step by step

static enum tsl_answer is_initial(const tsl_wakeup *v, size_t k) {
    tsl_deadline_ask();
    if (!v->doubt && !is_last(v, k)) { // its past lies before the node
        uint32_t latest = v->h->steps.data[v->steps[k]].latest;
        if (latest == TSL_NONE || latest < v->first)
            return TSL_ANSWER_YES;
    }
    enum tsl_answer all = TSL_ANSWER_YES;
    for (size_t i = v->from; i < k; i++) {
        if (v->gone[i])
            continue;
        enum tsl_answer a = tsl_wakeup_before(v, i, k);
        if (a == TSL_ANSWER_YES)
            return TSL_ANSWER_NO;
        if (a == TSL_ANSWER_UNKNOWN)
            all = TSL_ANSWER_UNKNOWN;
    }
    return all;
}

bool tsl_wakeup_is_initial(const tsl_wakeup *v, size_t i) {
    return is_initial(v, i) == TSL_ANSWER_YES;
}

bool tsl_wakeup_begins(const tsl_wakeup *v, unsigned thread) {
    size_t i = tsl_wakeup_next(v, thread);
    return i < v->n && tsl_wakeup_is_initial(v, i);
}

// Does nothing that is left conflict with op?
static enum tsl_answer commutes(const tsl_wakeup *v, const tsl_op *op, bool sure) {
    tsl_deadline_ask();
    tsl_op moving = *op;
    bool fast = sure && !v->doubt && op->kind != TSL_EV_BARRIER_ARRIVE;
    enum tsl_answer all = TSL_ANSWER_YES;
    for (size_t i = v->from; i < v->n; i++) {
        if (v->gone[i])
            continue;
        if (fast && !is_last(v, i)) {
            if (tsl_history_conflict(v->h, op, v->steps[i]))
                return TSL_ANSWER_NO;
            continue;
        }
        tsl_op other = tsl_wakeup_op(v, i);
        enum tsl_answer a = conflict(&moving, sure, &other, !is_last(v, i) || v->last_is_sure);
        if (a == TSL_ANSWER_YES)
            return TSL_ANSWER_NO;
        if (a == TSL_ANSWER_UNKNOWN)
            all = TSL_ANSWER_UNKNOWN;
        tsl_op_pass(&moving, &other);
    }
    return all;
}

enum tsl_answer tsl_wakeup_covers(const tsl_wakeup *v, const tsl_op *op, bool sure, unsigned choice,
                                  size_t *at) {
    *at = tsl_wakeup_next(v, op->thread);
    if (*at == v->n)
        return commutes(v, op, sure);
    unsigned its = tsl_wakeup_hop(v, *at).choice;
    enum tsl_answer initial = is_initial(v, *at);
    if (its == TSL_ANY_CHOICE || choice == TSL_ANY_CHOICE || its == choice)
        return initial;
    return initial == TSL_ANSWER_YES ? TSL_ANSWER_OTHER_CHOICE : TSL_ANSWER_NO;
}

// ---------------------------------------------------------------- walking

void tsl_wakeup_go_past(tsl_wakeup *v, size_t at) {
    tsl_wakeup_use(v, at);
    if (at < v->n)
        v->gone[at] = true;
    skip_gone(v);
}
