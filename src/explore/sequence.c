#include "explore/sequence.h"

#include <string.h>

#include "abi/sabotage.h"
#include "base/deadline.h"
#include "base/mem.h"

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
        return (tsl_hop){.thread = v->last->thread, .choice = TSL_ANY_CHOICE};
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
    tsl_deadline_ask();
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
    tsl_deadline_ask();
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

// Step i goes below the leaf, which hangs from the node; returns the new one.
static tsl_branch *add_step(tsl_tree *tree, tsl_node **node, tsl_branch *leaf,
                            const tsl_sequence *v, size_t i) {
    if (!leaf)
        return tsl_tree_add_behind(tree, *node, NULL, hop_of(v, i), op_of(v, i));
    tsl_node *inner = &leaf->inner;
    leaf = tsl_tree_add_below(tree, *node, leaf, hop_of(v, i), op_of(v, i));
    *node = inner;
    return leaf;
}

// Adds what is left, but for the steps from `from` up to `to`, below the leaf.
static void add_rest(tsl_tree *tree, tsl_node *node, tsl_branch *leaf, const tsl_sequence *v,
                     bool risky, size_t from, size_t to) {
    for (size_t i = v->from; i < v->n; i++)
        if (!v->gone[i] && (i < from || i >= to))
            leaf = add_step(tree, &node, leaf, v, i);
    tsl_tree_lead_to(tree, leaf, TSL_BROKEN(INPUTS) ? 0 : v->inputs);
    leaf->sure = v->last_is_sure || v->gone[v->n - 1];
    leaf->risky = risky;
}

void tsl_sequence_add(tsl_tree *tree, tsl_node *node, const tsl_sequence *v, bool risky) {
    add_rest(tree, node, NULL, v, risky, 0, 0);
}

// `beside`: a branch with another choice of step `first`.  It goes right behind that, so that
// who sleeps on the one sleeps on the other; and what its inputs decide comes with it.
static void add_beside(tsl_tree *tree, tsl_node *node, const tsl_sequence *v, bool risky,
                       tsl_branch *beside, size_t first) {
    tsl_branch *leaf = tsl_tree_add_behind(tree, node, beside, hop_of(v, first), op_of(v, first));
    size_t to = first + 1;
    for (; to < v->n && tsl_hop_is_branch(hop_of(v, to)) && !v->gone[to] &&
           thread_of(v, to) == thread_of(v, first);
         to++)
        leaf = add_step(tree, &node, leaf, v, to);
    add_rest(tree, node, leaf, v, risky, first, to);
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
    d->inputs = v->inputs;
    tsl_inputs_hold(tree->inputs, d->inputs);
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
    for (size_t i = v->from; i < last && !TSL_BROKEN(DECIDED); i++)
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

static void go_past(tsl_sequence *v, size_t at) {
    use(v, at);
    if (at < v->n)
        v->gone[at] = true;
    while (v->from < v->n && v->gone[v->from])
        v->from++;
}

static size_t next_of(const tsl_sequence *v, unsigned thread) {
    size_t i = v->from;
    while (i < v->n && (v->gone[i] || thread_of(v, i) != thread))
        i++;
    return i;
}

// How the BRANCH that `b` stands for comes out under the sequence's inputs.  What it does not
// know of them is taken from a run that came by there.
static tsl_hop outcome(tsl_tree *tree, tsl_sequence *v, const tsl_branch *b) {
    const tsl_branch *leaf = b;
    while (!leaf->is_leaf)
        leaf = leaf->inner.first;
    uint32_t inputs = tsl_inputs_join(tree->inputs, v->inputs, leaf->inputs);
    tsl_inputs_release(tree->inputs, v->inputs);
    v->inputs = inputs;
    tsl_hop hop = tsl_branch_hop(b);
    if (TSL_BROKEN(OUTCOME) || tsl_inputs_value(tree->inputs, inputs, hop.cond).lo)
        return hop;
    if (!tsl_hop_is_pin(hop)) {
        hop.choice ^= TSL_BRANCH_TRUE;
        hop.cond = tsl_term_not(tree->inputs->terms, hop.cond);
        return hop;
    }
    tsl_terms *terms = tree->inputs->terms;
    tsl_value value = tsl_inputs_value(tree->inputs, inputs, hop.pinned);
    hop.choice = (uint16_t)(TSL_BRANCH_CHOICE | tsl_pin_res(value.lo));
    hop.cond = tsl_term_binary(terms, TSL_EXPR_EQ, hop.pinned,
                               tsl_term_const(terms, tsl_term_width(terms, hop.pinned), value));
    return hop;
}

// A way that no run has taken at a BRANCH that is not part of the sequence.
static void add_way(tsl_tree *tree, tsl_node *node, tsl_branch *behind, tsl_hop hop,
                    tsl_sequence *v, bool risky) {
    tsl_branch *leaf = tsl_tree_add_behind(tree, node, behind, hop, behind->op);
    add_rest(tree, node, leaf, v, risky, 0, 0);
    leaf->inner.may_branch = true;
}

// From a node before a BRANCH along the way that the sequence's inputs take, up to one where
// threads take turns.  NULL: a leaf stands for it, or does now.
static tsl_node *follow_inputs(tsl_tree *tree, tsl_node *node, tsl_sequence *v, bool risky) {
    for (;;) {
        if (node->may_branch) {
            v->strange = true;
            add_doubt(tree, node, v, risky); // until it has run
            return NULL;
        }
        if (!node->first || !tsl_hop_is_branch(tsl_branch_hop(node->first)))
            return node;
        tsl_branch *b = node->first;
        size_t at = next_of(v, b->op.thread);
        tsl_hop hop = at < v->n ? hop_of(v, at) : outcome(tree, v, b);
        while (b->choice != hop.choice && b->next)
            b = b->next;
        if (b->choice != hop.choice) {
            tsl_sequence_use_all(v);
            if (at < v->n)
                add_beside(tree, node, v, risky, b, at);
            else
                add_way(tree, node, b, hop, v, risky);
            v->strange |= at == v->n;
            return NULL;
        }
        go_past(v, at);
        if (b->is_leaf)
            return NULL;
        node = &b->inner;
    }
}

// Walks down the wakeup tree.  `own`: the branch of the node the race is about.
static void walk(tsl_tree *tree, tsl_node *node, const tsl_branch *own, tsl_sequence *v,
                 bool risky) {
    bool doubtful = false;
    tsl_branch *beside = NULL;
    size_t first = 0;
    node = follow_inputs(tree, node, v, risky);
    for (tsl_branch *b = node ? node->first : NULL; b;) {
        size_t at = 0;
        enum tsl_answer a = b == own ? TSL_ANSWER_NO : covers(v, &b->op, b->sure, b->choice, &at);
        if (a == TSL_ANSWER_YES && b->is_leaf) {
            use(v, at);
            if (!b->risky)
                return;
            doubtful = true; // it might not be there to cover it
        }
        if (a == TSL_ANSWER_YES && !b->is_leaf) {
            go_past(v, at);
            node = follow_inputs(tree, &b->inner, v, risky);
            if (!node || is_empty(v))
                return;
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
    if (!node || is_empty(v))
        return;
    tsl_claim_weaken(&tree->base.claim, TSL_REASON_UNPREDICTED, risky || doubtful);
    if (doubtful) {
        v->strange = true;
        add_doubt(tree, node, v, risky);
        return;
    }
    if (can_shorten(v, risky) && !beside)
        tsl_sequence_shorten(tree, v);
    tsl_sequence_use_all(v);
    if (beside)
        add_beside(tree, node, v, risky, beside, first);
    else
        tsl_sequence_add(tree, node, v, risky);
}

// ---------------------------------------------------------------- adding, whatever it is

void tsl_sequence_insert(tsl_tree *tree, tsl_cursor *c, size_t depth, tsl_sequence *v) {
    size_t n, at;
    bool risky = false, few[128] = {0};
    v->gone = v->n <= 128 ? few : tsl_alloc(v->n);
    tsl_inputs_hold(tree->inputs, v->inputs);
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
    tsl_inputs_release(tree->inputs, v->inputs);
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
                          .inputs = d->inputs, // it passes them on
                          .second = TSL_NONE,
                          .woken_by = TSL_NONE,
                          .without = TSL_NONE,
                          .doubt = d};
        walk(tree, node, NULL, &v, d->risky);
        tsl_inputs_release(tree->inputs, v.inputs);
        tsl_free(gone);
        tsl_free(d);
    }
}
