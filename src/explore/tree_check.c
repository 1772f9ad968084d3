// Do the invariants of the search tree hold?
//
// Tests ask after every step of a search, so that a broken tree is found where it breaks, and not
// many runs later by an order that was lost.
#include "explore/tree_inner.h"

// ---------------------------------------------------------------- nodes and edges

// A thread has one next step at a node.  So edges of one thread stand for different alternatives of
// that step; of a pinned value any number may be tried.
static void check_siblings(const tsl_edge *edge) {
    for (const tsl_edge *other = edge->next; other; other = other->next)
        TSL_BUG_ON(other->op.thread == edge->op.thread && other->choice == edge->choice &&
                       !tsl_hop_is_pin(tsl_edge_hop(edge)),
                   "two edges of thread %u have choice %u", edge->op.thread, edge->choice);
}

static void check_edge(const tsl_tree *tree, const tsl_edge *edge) {
    bool open = edge->is_leaf && edge->state == TSL_EDGE_OPEN;
    TSL_BUG_ON(open && edge->executed, "an open leaf of thread %u was executed", edge->op.thread);
    TSL_BUG_ON(edge->executed && !edge->sure, "what thread %u did is not sure", edge->op.thread);
    TSL_BUG_ON(edge->executed && edge->risky, "what thread %u did is risky", edge->op.thread);
    TSL_BUG_ON(edge->must_solve && !open, "inputs for thread %u come late", edge->op.thread);
    TSL_BUG_ON(edge->inputs && !tree->inputs->sets.data[edge->inputs].users,
               "input set %u is not held", edge->inputs);
    check_siblings(edge);
}

static void check_node(const tsl_tree *tree, const tsl_tree_node *node) {
    uint32_t open = 0;
    for (const tsl_doubt *d = node->doubts; d; d = d->next, open++)
        TSL_BUG_ON(d->n == 0, "a stored sequence of thread %u is empty", d->ops[0].thread);
    for (const tsl_edge *edge = node->first; edge; edge = edge->next) {
        check_edge(tree, edge);
        if (edge->is_leaf) {
            open += edge->state == TSL_EDGE_OPEN;
            continue;
        }
        const tsl_tree_node *inner = &edge->inner;
        TSL_BUG_ON(!inner->is_inner || inner->above != node || inner->users,
                   "an inner node behind thread %u hangs from another node", edge->op.thread);
        TSL_BUG_ON(!inner->first && !inner->doubts, "an inner node behind thread %u is empty",
                   edge->op.thread);
        check_node(tree, inner); // programs of tests are short, so recursion is not deep
        open += inner->open;
    }
    TSL_BUG_ON(open != node->open, "a node counts %u open leaves and doubts, not %u", node->open,
               open);
}

// ---------------------------------------------------------------- cursors

static uint32_t users_of(const tsl_tree *tree, const tsl_tree_node *node) {
    uint32_t users = 0;
    for (unsigned i = 0; i < tree->ncursors; i++)
        for (size_t d = 0; d < tree->cursors[i].stops.len; d++)
            users += tree->cursors[i].stops.data[d].node == node;
    return users;
}

static bool has_edge(const tsl_tree_node *node, const tsl_edge *wanted) {
    const tsl_edge *edge = node->first;
    while (edge && edge != wanted)
        edge = edge->next;
    return edge != NULL;
}

static void check_taken(const tsl_cursor *c, size_t depth) {
    const tsl_edge *taken = c->stops.data[depth].taken;
    TSL_BUG_ON(!has_edge(c->stops.data[depth].node, taken),
               "the edge taken at depth %zu is not one of its node", depth);
    TSL_BUG_ON(taken->is_leaf && taken->state == TSL_EDGE_OPEN,
               "the leaf taken at depth %zu is open", depth);
    if (depth >= c->path.len)
        return;
    tsl_hop hop = c->path.data[depth];
    TSL_BUG_ON(hop.thread != taken->op.thread, "the path has thread %u at depth %zu, the edge %u",
               hop.thread, depth, taken->op.thread);
    TSL_BUG_ON(hop.choice != TSL_ANY_CHOICE && hop.choice != taken->choice,
               "the path has choice %u at depth %zu, the edge %u", hop.choice, depth,
               taken->choice);
}

static void check_stop(const tsl_tree *tree, const tsl_cursor *c, size_t depth) {
    const tsl_stop *stop = &c->stops.data[depth];
    const tsl_edge *before = depth ? c->stops.data[depth - 1].taken : NULL;
    TSL_BUG_ON(stop->taken && !stop->node, "an edge was taken at depth %zu, where no node is",
               depth);
    TSL_BUG_ON(before && !before->is_leaf && stop->node != &before->inner,
               "the edge before depth %zu leads elsewhere", depth);
    TSL_BUG_ON((!before || before->is_leaf) && stop->node && stop->node->is_inner,
               "nothing leads to the inner node at depth %zu", depth);
    if (stop->node && !stop->node->is_inner) {
        TSL_BUG_ON(stop->node->above, "the node at depth %zu hangs from another one", depth);
        TSL_BUG_ON(stop->node->users != users_of(tree, stop->node),
                   "the node at depth %zu counts %u cursors, not %u", depth, stop->node->users,
                   users_of(tree, stop->node));
        check_node(tree, stop->node);
    }
    if (stop->taken)
        check_taken(c, depth);
}

static void check_sleep(const tsl_cursor *c) {
    const uint32_t *start = c->sleep_start.data;
    for (size_t d = 0; d < c->sleep_start.len; d++) {
        uint32_t end = d + 1 < c->sleep_start.len ? start[d + 1] : (uint32_t)c->sleepers.len;
        TSL_BUG_ON(start[d] > end, "sleep set %zu ends before it begins", d);
        for (uint32_t i = start[d]; i < end; i++)
            for (uint32_t k = i + 1; k < end; k++)
                TSL_BUG_ON(c->sleepers.data[i].thread == c->sleepers.data[k].thread,
                           "thread %u sleeps twice at depth %zu", c->sleepers.data[i].thread, d);
    }
}

// The path, the stops and the sleep sets go along with the history.
static void check_lengths(const tsl_tree *tree, const tsl_cursor *c) {
    size_t steps = c->history.steps.len, path = c->path.len, stops = c->stops.len;
    bool flying = c->state == TSL_CURSOR_FLYING;
    TSL_BUG_ON(steps > path, "a history of %zu steps has a path of %zu", steps, path);
    TSL_BUG_ON(flying && stops != path, "%zu stops for a planned path of %zu", stops, path);
    TSL_BUG_ON(!flying && (stops < path || stops > path + 1), "%zu stops for a path of %zu", stops,
               path);
    TSL_BUG_ON(flying && path && tree->rule->sleeps && steps + 1 != path,
               "a history of %zu steps for a planned path of %zu", steps, path);
    TSL_BUG_ON(steps && c->sleep_start.len != steps + 1, "%zu sleep sets for %zu steps",
               c->sleep_start.len, steps);
    for (size_t s = 0; s < steps; s++)
        TSL_BUG_ON(c->history.steps.data[s].thread != c->path.data[s].thread,
                   "step %zu of the history is of thread %u, in the path of %u", s,
                   c->history.steps.data[s].thread, c->path.data[s].thread);
    for (size_t i = 0; i < c->reversals.len; i++) // a pending step has number `steps`
        TSL_BUG_ON(c->reversals.data[i].at > steps || c->reversals.data[i].race.first >= steps,
                   "a race at step %u is kept, of %zu", c->reversals.data[i].at, steps);
}

static void check_cursor(const tsl_tree *tree, const tsl_cursor *c) {
    TSL_BUG_ON(c->state == TSL_CURSOR_READY, "the Plan of a cursor with %zu steps was not offered",
               c->path.len);
    TSL_BUG_ON(c->state == TSL_CURSOR_IDLE && !c->begun && (c->path.len || c->stops.len),
               "a cursor that does nothing has a path of %zu", c->path.len);
    check_lengths(tree, c);
    check_sleep(c);
    for (size_t depth = 0; depth < c->stops.len; depth++)
        check_stop(tree, c, depth);
}

// Every cursor that is flying stands once among the runs under way, behind those that are discarded.
static void check_flying(const tsl_tree *tree) {
    unsigned flying = 0;
    for (unsigned i = 0; i < tree->ncursors; i++)
        flying += tree->cursors[i].state == TSL_CURSOR_FLYING;
    TSL_BUG_ON(tree->ncursors > TSL_TREE_CURSORS, "there are %u cursors", tree->ncursors);
    TSL_BUG_ON(tree->discard > tree->nflying || flying != tree->nflying - tree->discard,
               "%u cursors fly, of %u runs %u are discarded", flying, tree->nflying, tree->discard);
    for (unsigned i = tree->discard; i < tree->nflying; i++) {
        TSL_BUG_ON(tree->cursors[tree->flying[i]].state != TSL_CURSOR_FLYING,
                   "cursor %u does not fly", tree->flying[i]);
        for (unsigned k = i + 1; k < tree->nflying; k++)
            TSL_BUG_ON(tree->flying[i] == tree->flying[k], "cursor %u flies twice",
                       tree->flying[i]);
    }
}

void tsl_tree_check(const tsl_strategy *strategy) {
    const tsl_tree *tree = (const tsl_tree *)strategy;
    check_flying(tree);
    for (unsigned i = 0; i < tree->ncursors; i++)
        check_cursor(tree, &tree->cursors[i]);
}
