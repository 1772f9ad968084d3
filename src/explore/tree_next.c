// Where does the search go next?
//
// To the deepest open leaf that inputs lead to, by the Plan that tsl_tree_next makes.
#include "explore/tree_inner.h"

// ---------------------------------------------------------------- next

// Puts one of the open leaves, drawn at random, in front of the others.  Leaves in front of an edge
// that was taken stay there, and so do other alternatives of a choice: what sleeps behind an edge
// follows from its place (sleep_on).
static void shuffle(tsl_tree *tree, tsl_tree_node *node) {
    tsl_edge **first = &node->first;
    size_t n = 0;
    for (tsl_edge **edge = first; *edge; edge = &(*edge)->next) {
        bool fixed = !(*edge)->is_leaf || (*edge)->only || (*edge)->state != TSL_EDGE_OPEN;
        n = fixed ? 0 : n + 1;
        first = fixed ? &(*edge)->next : first;
    }
    if (n < 2)
        return;
    tsl_edge **at = first;
    for (size_t take = tsl_rng_below(&tree->rng, n); take > 0; take--)
        at = &(*at)->next;
    tsl_edge *edge = *at;
    *at = edge->next;
    edge->next = *first;
    *first = edge;
}

static tsl_edge *enter(tsl_tree *tree, tsl_tree_node *node) {
    if (!node->open)
        return NULL;
    if (node->doubts && tree->rule->settle)
        tree->rule->settle(tree, node);
    if (tree->search.random_order)
        shuffle(tree, node);
    return node->first;
}

// The edges that lead to the leftmost open leaf of the wakeup tree that hangs from a node.  The edges
// to its left were run at least once, so what sleeps behind it is known.  (Where they were not,
// another cursor is busy and will come by here.)
static bool find_open(tsl_tree *tree, tsl_tree_node *node, tsl_edges *out) {
    tsl_edge *edge = enter(tree, node);
    for (;;) {
        if (!edge && !out->len)
            return false;
        if (edge) {
            tsl_vec_push(out, edge);
            if (edge->is_leaf && edge->state == TSL_EDGE_OPEN)
                return true;
            tsl_edge *below = edge->is_leaf ? NULL : enter(tree, &edge->inner);
            if (below) {
                edge = below;
                continue;
            }
        }
        edge = tsl_vec_pop(out);
        edge = edge->executed ? edge->next : NULL;
    }
}

// No inputs lead to the leaf, so it is as good as explored.
static void give_up(tsl_tree_node *node, tsl_edge *leaf) {
    leaf->state = TSL_EDGE_DONE;
    leaf->executed = true;
    tsl_tree_count(node, -1);
}

// Are there inputs that lead from the cursor's node before step `depth` to the leaf?
static bool solve(tsl_tree *tree, const tsl_cursor *c, size_t depth, const tsl_edges *to) {
    tsl_edge *leaf = tsl_vec_last(to);
    tsl_vec_clear(&tree->conditions);
    for (size_t i = 0; i < depth; i++)
        if (c->path.data[i].cond.i)
            tsl_vec_push(&tree->conditions, c->path.data[i].cond);
    for (size_t i = 0; i + 1 < to->len; i++)
        if (to->data[i]->cond.i)
            tsl_vec_push(&tree->conditions, to->data[i]->cond);
    enum tsl_sat answer =
        tsl_inputs_solve(tree->inputs, &tree->conditions, leaf->cond, &leaf->inputs);
    tsl_claim_weaken(&tree->base.claim, TSL_REASON_SOLVER, answer == TSL_UNKNOWN);
    leaf->must_solve = false;
    return answer == TSL_SAT;
}

// As find_open, but only of leaves that inputs lead to.
static bool find_feasible(tsl_tree *tree, const tsl_cursor *c, size_t depth, tsl_tree_node *node,
                          tsl_edges *to) {
    while (find_open(tree, node, to)) {
        tsl_edge *leaf = tsl_vec_last(to);
        if (!leaf->must_solve || solve(tree, c, depth, to))
            return true;
        give_up(to->len > 1 ? &to->data[to->len - 2]->inner : node, leaf);
        tsl_vec_clear(to);
    }
    return false;
}

// The cursor stands at the node before step `depth`; its next run takes this way.
static void go(tsl_tree *tree, tsl_cursor *c, size_t depth, const tsl_edges *to) {
    tsl_tree_cut(tree, c, depth);
    c->known = depth;
    bool seen = true;
    for (size_t i = 0; i < to->len; i++) {
        tsl_edge *edge = to->data[i];
        seen &= edge->executed;
        c->known += seen;
        c->stops.data[depth + i].taken = edge;
        tsl_vec_push(&c->path, tsl_edge_hop(edge));
        if (!edge->is_leaf) {
            tsl_vec_push(&c->stops, (tsl_stop){&edge->inner, NULL});
        } else {
            edge->state = TSL_EDGE_TAKEN;
            tsl_tree_count(c->stops.data[depth + i].node, TSL_BROKEN(OPEN_LEAVES) ? 0 : -1);
            tsl_inputs_hold(tree->inputs, edge->inputs);
            tsl_inputs_release(tree->inputs, c->inputs);
            c->inputs = edge->inputs;
        }
    }
    c->state = TSL_CURSOR_READY;
}

// Back to the deepest node with an open leaf.
static void backtrack(tsl_tree *tree, tsl_cursor *c) {
    for (tsl_vec_clear(&tree->way); c->stops.len; tsl_tree_leave(tree, c)) {
        size_t depth = c->stops.len - 1;
        const tsl_stop *stop = &tsl_vec_last(&c->stops);
        if (!stop->node)
            continue;
        tsl_tree_cut(tree, c, depth);
        if (stop->taken)
            stop->taken->state = TSL_EDGE_DONE;
        if (find_feasible(tree, c, depth, stop->node, &tree->way)) {
            go(tree, c, depth, &tree->way);
            return;
        }
    }
    tsl_tree_cut(tree, c, 0);
    c->begun = false;
}

// ---------------------------------------------------------------- several cursors

static void share(tsl_tree *tree, tsl_cursor *thief, tsl_cursor *from, size_t depth) {
    for (size_t i = 0; i <= depth; i++) {
        tsl_tree_node *node = tsl_tree_node_at(tree, from, i);
        tsl_vec_push(&thief->stops, (tsl_stop){node, from->stops.data[i].taken});
        node->users += !node->is_inner;
        if (i < depth)
            tsl_vec_push(&thief->path, from->path.data[i]);
    }
}

static bool take_over(tsl_tree *tree, tsl_cursor *thief, tsl_cursor *from, tsl_edges *to) {
    for (size_t depth = 0; depth < from->stops.len; depth++) {
        tsl_tree_node *node = from->stops.data[depth].node;
        if (!node || !find_feasible(tree, from, depth, node, to))
            continue;
        share(tree, thief, from, depth);
        go(tree, thief, depth, to);
        thief->begun = true;
        return true;
    }
    return false;
}

// A cursor with nothing to do takes a leaf from the way of another one, as far up as it can.
static bool find_work(tsl_tree *tree, tsl_cursor *c) {
    tsl_vec_clear(&tree->way);
    for (unsigned i = 0; i < tree->ncursors; i++)
        if (tree->cursors[i].state == TSL_CURSOR_FLYING &&
            take_over(tree, c, &tree->cursors[i], &tree->way))
            return true;
    return false;
}

static tsl_cursor *ready_cursor(tsl_tree *tree) {
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_cursor *c = &tree->cursors[i];
        if (c->state == TSL_CURSOR_IDLE && c->begun)
            backtrack(tree, c);
        if (c->state == TSL_CURSOR_READY)
            return c;
    }
    for (unsigned i = 0; tree->rule->several && i < tree->ncursors; i++)
        if (tree->cursors[i].state == TSL_CURSOR_IDLE && find_work(tree, &tree->cursors[i]))
            return &tree->cursors[i];
    return NULL;
}

// ---------------------------------------------------------------- the Plan

// The sleep set before the last step of the prefix, which is the only step that the history lacks:
// rules that tell the runner who sleeps add no sequences.
static void add_sleep(const tsl_tree *tree, const tsl_cursor *c, tsl_plan *plan) {
    if (!c->path.len || !tree->rule->sleeps)
        return;
    size_t last = c->path.len - 1, n;
    const tsl_op *sleep = tsl_sleep_set(c, last, &n);
    const tsl_edge *own = c->stops.data[last].taken;
    tsl_op_list set = {0};
    for (size_t i = 0; i < n; i++)
        tsl_vec_push(&set, sleep[i]);
    for (const tsl_edge *edge = tsl_cursor_edges(c, last); edge != own; edge = edge->next)
        if (!tsl_ops_have(&set, 0, edge->op.thread))
            tsl_vec_push(&set, edge->op);
    // What conflicts with everything is woken by the last step, whatever that step is.
    for (size_t i = 0; i < set.len; i++)
        if (set.data[i].thread != own->op.thread && !set.data[i].unknown)
            tsl_op_to_events(&set.data[i], &plan->sleep);
    tsl_vec_drop(&set);
}

enum tsl_next tsl_tree_next(tsl_strategy *strategy, tsl_plan *plan) {
    tsl_tree *tree = (tsl_tree *)strategy;
    tsl_cursor *c = tree->begun ? ready_cursor(tree) : &tree->cursors[0];
    if (!c)
        return tree->nflying ? TSL_NEXT_WAIT : TSL_NEXT_DONE;
    tree->begun = true;
    enum tsl_policy policy = tree->search.random_order ? TSL_POLICY_RANDOM
                             : tree->rule->wakes_all   ? TSL_POLICY_EAGER
                                                       : TSL_POLICY_STAY;
    uint32_t enabled = tree->rule->wakes_all ? 0 : TSL_PLAN_ENABLED;
    tsl_search_plan(&tree->search, policy, enabled | TSL_PLAN_SPIN_ENDS, plan);
    plan->seed = tsl_rng_next(&tree->rng);
    tsl_inputs_to_plan(tree->inputs, c->inputs, plan);
    if (plan->policy == TSL_POLICY_EAGER)
        tsl_order_to_plan(&tree->order, plan);
    tsl_plan_add_hops(plan, c->path.data, c->path.len);
    add_sleep(tree, c, plan);
    c->state = TSL_CURSOR_FLYING;
    tree->flying[tree->nflying++] = (unsigned)(c - tree->cursors);
    return TSL_NEXT_PLAN;
}
