#include "explore/sequence.h"

#include <string.h>

#include "base/mem.h"
#include "base/sabotage.h"

// ---------------------------------------------------------------- dependence in doubt

static enum tsl_answer conflict(const tsl_op *a, bool a_sure, const tsl_op *b, bool b_sure) {
    if (a_sure && b_sure)
        return tsl_op_conflict(a, b) ? TSL_ANSWER_YES : TSL_ANSWER_NO;
    tsl_op a1 = a_sure ? *a : tsl_op_at_most(a), a2 = a_sure ? *a : tsl_op_at_least(a);
    tsl_op b1 = b_sure ? *b : tsl_op_at_most(b), b2 = b_sure ? *b : tsl_op_at_least(b);
    bool x = tsl_op_conflict(&a1, &b1);
    if (x != tsl_op_conflict(&a1, &b2) || x != tsl_op_conflict(&a2, &b1) ||
        x != tsl_op_conflict(&a2, &b2))
        return TSL_ANSWER_UNKNOWN;
    return x ? TSL_ANSWER_YES : TSL_ANSWER_NO;
}

// ---------------------------------------------------------------- steps of a sequence

static bool is_last(const tsl_sequence *v, size_t i) { return i + 1 == v->n; }

static unsigned thread_of(const tsl_sequence *v, size_t i) {
    if (is_last(v, i))
        return v->last->thread;
    return v->doubt ? v->doubt->ops[i].thread : v->h->steps.data[v->rest->data[i]].thread;
}

static tsl_hop hop_of(const tsl_sequence *v, size_t i) {
    if (v->doubt)
        return v->doubt->hops[i];
    if (is_last(v, i))
        return (tsl_hop){v->last->thread, TSL_ANY_CHOICE, {0}};
    return tsl_cursor_hop(v->cursor, v->rest->data[i]);
}

// As it is in the sequence, where the arrival it raced with is missing.
static tsl_op op_of(const tsl_sequence *v, size_t i) {
    if (is_last(v, i))
        return *v->last;
    if (v->doubt)
        return v->doubt->ops[i];
    tsl_op op = tsl_history_op(v->h, v->rest->data[i]);
    if (v->without != TSL_NONE && op.kind == TSL_EV_BARRIER_ARRIVE &&
        op.access[0].addr == v->h->steps.data[v->without].key)
        op.access[0].res++;
    return op;
}

// Does i happen before k, i < k, in the sequence?
static enum tsl_answer before(const tsl_sequence *v, size_t i, size_t k) {
    if (v->doubt)
        return v->doubt->before[i * v->n + k] ? TSL_ANSWER_YES : TSL_ANSWER_NO;
    uint32_t step = v->rest->data[i];
    if (!is_last(v, k))
        return tsl_history_before(v->h, step, v->rest->data[k]) ? TSL_ANSWER_YES : TSL_ANSWER_NO;
    if (step == v->woken_by)
        return TSL_ANSWER_YES;
    if (v->last_is_sure && v->last->kind != TSL_EV_BARRIER_ARRIVE)
        return tsl_history_conflict(v->h, v->last, step) ? TSL_ANSWER_YES : TSL_ANSWER_NO;
    tsl_op op = op_of(v, i);
    return conflict(&op, true, v->last, v->last_is_sure);
}

// ---------------------------------------------------------------- weak initials

static enum tsl_answer is_initial(const tsl_sequence *v, size_t k) {
    if (!v->doubt && !is_last(v, k)) { // its past lies before the node
        uint32_t latest = v->h->steps.data[v->rest->data[k]].latest;
        if (latest == TSL_NONE || latest < v->first)
            return TSL_ANSWER_YES;
    }
    enum tsl_answer all = TSL_ANSWER_YES;
    for (size_t i = v->from; i < k; i++) {
        if (v->gone[i])
            continue;
        enum tsl_answer a = before(v, i, k);
        if (a == TSL_ANSWER_YES)
            return TSL_ANSWER_NO;
        if (a == TSL_ANSWER_UNKNOWN)
            all = TSL_ANSWER_UNKNOWN;
    }
    return all;
}

// Does nothing in the sequence conflict with it?
static enum tsl_answer commutes(const tsl_sequence *v, const tsl_op *op, bool sure) {
    tsl_op moving = *op;
    bool fast = sure && !v->doubt && op->kind != TSL_EV_BARRIER_ARRIVE;
    enum tsl_answer all = TSL_ANSWER_YES;
    for (size_t i = v->from; i < v->n; i++) {
        if (v->gone[i])
            continue;
        if (fast && !is_last(v, i)) {
            if (tsl_history_conflict(v->h, op, v->rest->data[i]))
                return TSL_ANSWER_NO;
            continue;
        }
        tsl_op other = op_of(v, i);
        enum tsl_answer a = conflict(&moving, sure, &other, !is_last(v, i) || v->last_is_sure);
        if (a == TSL_ANSWER_YES)
            return TSL_ANSWER_NO;
        if (a == TSL_ANSWER_UNKNOWN)
            all = TSL_ANSWER_UNKNOWN;
        tsl_op_pass(&moving, &other);
    }
    return all;
}

// Is `op`, the next step of its thread at the node, a weak initial of the sequence?
// `choice`: only with this one; TSL_ANY_CHOICE: with any.  `at`: which step it is.
static enum tsl_answer covers(const tsl_sequence *v, const tsl_op *op, bool sure, unsigned choice,
                              size_t *at) {
    for (size_t i = v->from; i < v->n; i++) {
        if (v->gone[i] || thread_of(v, i) != op->thread)
            continue;
        unsigned its = hop_of(v, i).choice;
        *at = i;
        enum tsl_answer initial = is_initial(v, i);
        bool other = its != TSL_ANY_CHOICE && choice != TSL_ANY_CHOICE && its != choice;
        return !other                      ? initial
               : initial == TSL_ANSWER_YES ? TSL_ANSWER_OTHER_CHOICE
                                           : TSL_ANSWER_NO;
    }
    *at = v->n;
    return commutes(v, op, sure);
}

// ---------------------------------------------------------------- adding

void tsl_sequence_add(tsl_tree *tree, tsl_node *node, const tsl_sequence *v, bool risky,
                      tsl_branch *beside, size_t first) {
    tsl_branch *leaf = NULL;
    if (beside)
        leaf = tsl_tree_add_behind(tree, node, beside, hop_of(v, first), op_of(v, first));
    for (size_t i = v->from; i < v->n; i++) {
        if (v->gone[i] || (beside && i == first))
            continue;
        if (!leaf) {
            leaf = tsl_tree_add_behind(tree, node, NULL, hop_of(v, i), op_of(v, i));
            continue;
        }
        tsl_node *inner = &leaf->inner;
        leaf = tsl_tree_add_below(tree, node, leaf, hop_of(v, i), op_of(v, i));
        node = inner;
    }
    tsl_tree_lead_to(tree, leaf, v->doubt ? v->doubt->inputs : v->cursor->inputs);
    leaf->sure = v->last_is_sure || v->gone[v->n - 1];
    leaf->risky = risky;
}

static void add_doubt(tsl_tree *tree, tsl_node *node, const tsl_sequence *v, bool risky) {
    size_t n = v->n, left = 0;
    tsl_doubt *d = tsl_alloc(sizeof *d + n * (sizeof *d->ops + sizeof *d->hops + n * sizeof(bool)));
    size_t *at = tsl_alloc(n * sizeof *at);
    for (size_t i = 0; i < n; i++)
        if (!v->gone[i])
            at[left++] = i;
    d->n = (uint32_t)left;
    d->last_is_sure = v->last_is_sure;
    d->risky = risky;
    d->inputs = v->doubt ? v->doubt->inputs : v->cursor->inputs;
    tsl_inputs_hold(&tree->inputs, d->inputs);
    d->hops = (tsl_hop *)&d->ops[left];
    d->before = (bool *)&d->hops[left];
    for (size_t i = 0; i < left; i++) {
        d->ops[i] = op_of(v, at[i]);
        d->hops[i] = hop_of(v, at[i]);
        for (size_t k = i + 1; k < left; k++)
            d->before[i * left + k] = before(v, at[i], at[k]) == TSL_ANSWER_YES;
    }
    tsl_free(at);
    d->next = node->doubts;
    node->doubts = d;
    tsl_node_count(node, 1);
}

// ---------------------------------------------------------------- shortening

static bool can_shorten(const tsl_sequence *v, bool risky) {
    return !risky && v->last_is_sure && !v->doubt && v->without == TSL_NONE &&
           v->last->kind != TSL_EV_BARRIER_ARRIVE;
}

// Step number k of the sequence is needed, and so is its past.
static void keep_past(tsl_tree *tree, const tsl_sequence *v, size_t k) {
    bool *keep = tree->keep.data;
    if (keep[k])
        return;
    keep[k] = true;
    for (size_t i = v->from; i < k; i++)
        if (!keep[i] && tsl_history_before(v->h, v->rest->data[i], v->rest->data[k]))
            keep[i] = true;
}

// Somebody sleeps with `op`, and something in the sequence wakes it.
static void keep_waker(tsl_tree *tree, const tsl_sequence *v, const tsl_op *op) {
    size_t last = v->n - 1, waker = last, own = last;
    if (!v->gone[last] && tsl_op_conflict(op, v->last))
        return;
    for (size_t i = v->from; i < last; i++) {
        uint32_t step = v->rest->data[i];
        if (v->gone[i] || !tsl_history_conflict(v->h, op, step))
            continue;
        if (tree->keep.data[i])
            return;
        if (v->h->steps.data[step].thread == op->thread)
            own = own == last ? i : own;
        else if (waker == last)
            waker = i;
    }
    if (waker < own)
        keep_past(tree, v, waker);
    else if (own < last)
        keep_past(tree, v, own);
}

void tsl_sequence_shorten(tsl_tree *tree, tsl_sequence *v) {
    size_t last = v->n - 1;
    tree->keep.len = 0;
    tsl_vec_reserve(&tree->keep, v->n);
    bool *keep = tree->keep.data;
    memset(keep, 0, v->n);
    if (v->second != TSL_NONE && !v->gone[last])
        for (size_t i = v->from; i < last; i++)
            keep[i] = tsl_history_before(v->h, v->rest->data[i], v->second);
    else
        for (size_t i = last; i-- > v->from && !v->gone[last];)
            if (!keep[i] && !v->gone[i] && before(v, i, last) != TSL_ANSWER_NO)
                keep_past(tree, v, i);
    for (size_t i = 0; i < tree->awaken.len && !TSL_BROKEN(WAKERS); i++)
        keep_waker(tree, v, tree->awaken.data[i]);
    for (size_t i = v->from; i < last; i++)
        if (keep[i] && v->h->steps.data[v->rest->data[i]].kind == TSL_EV_BARRIER_ARRIVE)
            return; // how many arrive before it matters
    // What a step's inputs decide comes with it: nobody can be scheduled in between.
    for (size_t i = v->from; i < last; i++)
        if (v->h->steps.data[v->rest->data[i]].kind == TSL_EV_BRANCH)
            keep[i] = i == 0 || keep[i - 1] || v->gone[i - 1];
    for (size_t i = v->from; i < last; i++)
        v->gone[i] |= !keep[i];
}

static void use(tsl_sequence *v, size_t at) {
    if (at == v->n)
        v->strange = true;
    else if (at + 1 < v->n && !v->doubt && v->rest->data[at] > v->used)
        v->used = v->rest->data[at];
}

void tsl_sequence_use_all(tsl_sequence *v) {
    for (size_t i = v->from; i < v->n; i++)
        if (!v->gone[i])
            use(v, i);
}

// ---------------------------------------------------------------- the way down

static bool is_empty(const tsl_sequence *v) { return v->from == v->n; }

// Walks down the wakeup tree.  `own`: the branch of the node the race is about.
static void walk(tsl_tree *tree, tsl_node *node, const tsl_branch *own, tsl_sequence *v,
                 bool risky) {
    bool doubtful = false;
    tsl_branch *beside = NULL;
    size_t first = 0;
    for (tsl_branch *b = node->first; b;) {
        size_t at = 0;
        enum tsl_answer a = b == own ? TSL_ANSWER_NO : covers(v, &b->op, b->sure, b->choice, &at);
        if (a == TSL_ANSWER_YES && b->is_leaf) {
            use(v, at);
            if (!b->risky)
                return;
            doubtful = true; // it might not be there to cover it
        }
        if (a == TSL_ANSWER_YES && !b->is_leaf) {
            use(v, at);
            if (at < v->n)
                v->gone[at] = true;
            while (v->from < v->n && v->gone[v->from])
                v->from++;
            if (is_empty(v))
                return;
            node = &b->inner;
            b = node->first;
            beside = NULL;
            continue;
        }
        if (a == TSL_ANSWER_OTHER_CHOICE) {
            beside = b;
            first = at;
        } else if (b != own)
            tsl_vec_push(&tree->awaken, &b->op);
        risky |= a == TSL_ANSWER_UNKNOWN && b->sure;
        doubtful |= a == TSL_ANSWER_UNKNOWN && !b->sure;
        b = b->next;
    }
    tree->base.unsure |= risky || doubtful;
    if (doubtful) {
        v->strange = true;
        add_doubt(tree, node, v, risky);
        return;
    }
    if (can_shorten(v, risky) && !beside)
        tsl_sequence_shorten(tree, v);
    tsl_sequence_use_all(v);
    tsl_sequence_add(tree, node, v, risky, beside, first);
}

// ---------------------------------------------------------------- adding, whatever it is

void tsl_sequence_insert(tsl_tree *tree, tsl_cursor *c, size_t depth, tsl_sequence *v) {
    size_t n, at;
    bool risky = false, few[128] = {0};
    v->gone = v->n <= 128 ? few : tsl_alloc(v->n);
    const tsl_op *sleep = tsl_cursor_sleep(c, depth, &n);
    bool covered = false;
    tsl_vec_clear(&tree->awaken);
    for (size_t i = 0; i < n && !covered; i++) {
        enum tsl_answer a = covers(v, &sleep[i], true, TSL_ANY_CHOICE, &at);
        covered = a == TSL_ANSWER_YES;
        risky |= a == TSL_ANSWER_UNKNOWN;
        if (covered)
            use(v, at);
        tsl_vec_push(&tree->awaken, &sleep[i]);
    }
    const tsl_node *there = c->stops.data[depth].node;
    for (const tsl_branch *b = there ? there->first : NULL; b && !covered; b = b->next)
        if (b != c->stops.data[depth].taken && b->state == TSL_BRANCH_DONE && b->is_leaf)
            if (covers(v, &b->op, true, TSL_ANY_CHOICE, &at) == TSL_ANSWER_YES) {
                covered = true;
                use(v, at);
            }
    if (!covered) {
        tsl_node *node = tsl_tree_node(tree, c, depth);
        walk(tree, node, c->stops.data[depth].taken, v, risky);
    }
    if (v->gone != few)
        tsl_free(v->gone);
}

void tsl_sequence_settle(tsl_tree *tree, tsl_node *node) {
    tsl_doubt *doubts = node->doubts;
    node->doubts = NULL;
    for (tsl_doubt *d = doubts, *next; d; d = next) {
        next = d->next;
        tsl_node_count(node, -1);
        bool *gone = tsl_alloc(d->n);
        tsl_sequence v = {.n = d->n,
                          .gone = gone,
                          .last_is_sure = d->last_is_sure,
                          .last = &d->ops[d->n - 1],
                          .second = TSL_NONE,
                          .woken_by = TSL_NONE,
                          .without = TSL_NONE,
                          .doubt = d};
        walk(tree, node, NULL, &v, d->risky);
        tsl_inputs_release(&tree->inputs, d->inputs);
        tsl_free(gone);
        tsl_free(d);
    }
}
