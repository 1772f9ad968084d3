// What may a rule ask of the search tree and add to it, and which data races does the tree report?
#include "explore/tree_inner.h"
#include "model/inside.h"

// ---------------------------------------------------------------- where a cursor stands

const tsl_history *tsl_cursor_history(const tsl_cursor *c) { return &c->history; }
size_t tsl_cursor_known(const tsl_cursor *c) { return c->known; }
size_t tsl_cursor_kept(const tsl_cursor *c) { return c->kept; }
const tsl_op *tsl_cursor_sleep(const tsl_cursor *c, size_t depth, size_t *n) {
    return tsl_sleep_set(c, depth, n);
}

const tsl_edge *tsl_cursor_edges(const tsl_cursor *c, size_t depth) {
    return c->stops.data[depth].node ? c->stops.data[depth].node->first : NULL;
}

const tsl_edge *tsl_cursor_taken(const tsl_cursor *c, size_t depth) {
    return c->stops.data[depth].taken;
}

const tsl_edge *tsl_edge_next(const tsl_edge *edge) { return edge->next; }
unsigned tsl_edge_thread(const tsl_edge *edge) { return edge->op.thread; }

bool tsl_cursor_has_edge(const tsl_cursor *c, size_t depth, unsigned thread) {
    for (const tsl_edge *edge = tsl_cursor_edges(c, depth); edge; edge = edge->next)
        if (edge->op.thread == thread)
            return true;
    return false;
}

const tsl_op *tsl_tree_sleeper(const tsl_tree *tree, const tsl_cursor *c, size_t depth,
                               unsigned thread) {
    size_t n;
    const tsl_op *sleep = tsl_sleep_set(c, depth, &n);
    for (size_t i = 0; tree->rule->sleeps && i < n; i++)
        if (sleep[i].thread == thread)
            return &sleep[i];
    return NULL;
}

const tsl_enabled *tsl_tree_enabled(tsl_tree *tree, const tsl_cursor *c, size_t depth) {
    size_t until = depth ? c->history.steps.data[depth - 1].next_event : 0;
    tsl_enabled_clear(&tree->enabled);
    tsl_run_enabled(tree->run, tsl_run_behind_notes(tree->run, until), &tree->enabled);
    return &tree->enabled;
}

// ---------------------------------------------------------------- adding

void tsl_tree_add(tsl_tree *tree, tsl_cursor *c, size_t depth, const tsl_op *op) {
    tsl_tree_node *node = tsl_tree_node_at(tree, c, depth);
    tsl_hop hop = {.thread = op->thread, .choice = TSL_ANY_CHOICE};
    tsl_tree_lead_to(tree, tsl_tree_add_edge(tree, node, NULL, hop, op), c->inputs);
}

bool tsl_tree_try(tsl_tree *tree, tsl_cursor *c, size_t depth, const tsl_op *op) {
    if (c->path.data[depth].thread == op->thread || tsl_cursor_has_edge(c, depth, op->thread) ||
        tsl_tree_sleeper(tree, c, depth, op->thread))
        return false;
    tsl_tree_add(tree, c, depth, op);
    return true;
}

void tsl_tree_try_enabled(tsl_tree *tree, tsl_cursor *c, size_t depth, bool all) {
    const tsl_enabled *enabled = tsl_tree_enabled(tree, c, depth);
    bool added = false;
    for (size_t i = 0; i < enabled->threads.len && (all || !added); i++)
        added = tsl_tree_try(tree, c, depth, &(tsl_op){.thread = enabled->threads.data[i]});
}

bool tsl_cursor_is_full(const tsl_cursor *c, size_t depth) {
    return c->stops.data[depth].node && c->stops.data[depth].node->is_full;
}

void tsl_tree_set_full(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    tsl_tree_node_at(tree, c, depth)->is_full = true;
}

void tsl_tree_order_race(tsl_tree *tree, unsigned a, unsigned b) {
    tsl_order_race(&tree->order, a, b);
}

void tsl_tree_start_over(tsl_tree *tree) { tree->must_start_over = true; }

// ---------------------------------------------------------------- data races

const tsl_race_list *tsl_tree_find_races(tsl_tree *tree, const tsl_cursor *c) {
    tsl_race_find(&c->history, &tree->races);
    if (tree->search.races && tree->races.len)
        tsl_found_adjacent(tree->search.races, &c->history, &tree->races);
    return &tree->races;
}

void tsl_tree_report_inside(tsl_tree *tree, const tsl_cursor *c) {
    const tsl_race_sink *sink = tree->search.races;
    uint32_t second = (uint32_t)c->history.steps.len - 1;
    if (tsl_claim_has(&tree->base.claim, TSL_REASON_UNCONTROLLED))
        return; // one pair is enough, and to look for one may take long
    uint32_t first = tsl_inside_partner(&c->history, second);
    if (first == TSL_NONE)
        return;
    tsl_claim_weaken(&tree->base.claim, TSL_REASON_UNCONTROLLED, 1);
    if (sink)
        sink->found(sink->self, &(tsl_found){.history = &c->history,
                                             .first = first,
                                             .second = second,
                                             .how = TSL_FOUND_INSIDE});
}
