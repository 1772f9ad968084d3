// Nodes and edges of the search tree, and where a cursor stands: made, freed and cut back.
#include "explore/tree_inner.h"

enum { EDGE_CHUNK = 256 };

// ---------------------------------------------------------------- making and freeing

// For each worker one cursor whose Plan runs and one whose Plan waits; for the Traces that are read
// meanwhile two more.
static unsigned cursors_for(unsigned workers) {
    unsigned n = workers ? 2 + 2 * workers : 4;
    return n < TSL_TREE_CURSORS ? n : TSL_TREE_CURSORS;
}

tsl_strategy *tsl_tree_new(const tsl_strategy_kind *kind, const tsl_tree_rule *rule,
                           const tsl_search *search) {
    tsl_tree *tree = tsl_alloc(sizeof *tree);
    tree->base.kind = kind;
    tree->rule = rule;
    tree->search = *search;
    tree->ncursors = rule->several ? cursors_for(search->workers) : 1;
    tsl_rng_init(&tree->rng, search->seed);
    tsl_sync_init(&tree->sync, true);
    tree->inputs = tsl_inputs_get(search->inputs, &search->solver);
    tree->base.inputs = tree->inputs;
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_history_init(&tree->cursors[i].history);
        tree->cursors[i].history.reads_conflict = rule->reads_conflict;
        tsl_import_init(&tree->cursors[i].nodes);
    }
    return &tree->base;
}

static void clear_doubts(tsl_tree *tree, tsl_tree_node *node) {
    for (tsl_doubt *d = node->doubts, *next; d; d = next) {
        next = d->next;
        TSL_BUG_ON(!tree->ending && !tree->lost_any, "a doubt of %u steps was lost", d->n);
        tsl_inputs_release(tree->inputs, d->inputs);
        tsl_free(d);
    }
}

// Frees a list of edges and all below.  Sequences are long, so this does not recurse.
void tsl_edges_free(tsl_tree *tree, tsl_edge *list) {
    while (list) {
        tsl_edge *edge = list;
        TSL_BUG_ON(!tree->ending && !tree->lost_any && edge->is_leaf &&
                       edge->state == TSL_EDGE_OPEN,
                   "an edge of thread %u was lost", edge->op.thread);
        list = edge->next;
        tsl_inputs_release(tree->inputs, edge->inputs);
        if (!edge->is_leaf) {
            clear_doubts(tree, &edge->inner);
            for (tsl_edge *below = edge->inner.first, *next; below; below = next) {
                next = below->next;
                below->next = list;
                list = below;
            }
        }
        edge->next = tree->spare;
        tree->spare = edge;
    }
}

static void clear_node(tsl_tree *tree, tsl_tree_node *node) {
    clear_doubts(tree, node);
    tsl_edges_free(tree, node->first);
}

void tsl_tree_leave(tsl_tree *tree, tsl_cursor *c) {
    tsl_tree_node *node = tsl_vec_pop(&c->stops).node;
    if (!node || node->is_inner || --node->users)
        return;
    clear_node(tree, node);
    node->above = tree->spare_nodes;
    tree->spare_nodes = node;
}

void tsl_tree_free(tsl_strategy *strategy) {
    tsl_tree *tree = (tsl_tree *)strategy;
    tree->ending = true;
    for (unsigned i = 0; i < tree->ncursors; i++) {
        tsl_cursor *c = &tree->cursors[i];
        while (c->stops.len)
            tsl_tree_leave(tree, c);
        tsl_history_drop(&c->history);
        tsl_vec_drop(&c->path);
        tsl_vec_drop(&c->stops);
        tsl_vec_drop(&c->sleepers);
        tsl_vec_drop(&c->reversals);
        tsl_vec_drop(&c->sleep_start);
        tsl_import_drop(&c->nodes);
        tsl_prefix_drop(&c->prefix);
    }
    tsl_inputs_drop(tree->inputs);
    tsl_vec_drop(&tree->conditions);
    tsl_vec_drop(&tree->way);
    for (tsl_tree_node *node = tree->spare_nodes, *above; node; node = above) {
        above = node->above;
        tsl_free(node);
    }
    for (size_t i = 0; i < tree->chunks.len; i++)
        tsl_free(tree->chunks.data[i]);
    tsl_vec_drop(&tree->chunks);
    tsl_order_drop(&tree->order);
    tsl_sync_drop(&tree->sync);
    tsl_vec_drop(&tree->races);
    tsl_wakeup_room_drop(&tree->room);
    tsl_enabled_drop(&tree->enabled);
    tsl_free(tree);
}

// ---------------------------------------------------------------- edges

// Edges come and go by the million, so spare ones are kept in a list.
tsl_edge *tsl_edge_new(tsl_tree *tree, const tsl_op *op, tsl_hop hop) {
    if (!tree->spare) {
        tsl_edge *chunk = tsl_alloc(EDGE_CHUNK * sizeof *chunk);
        tsl_vec_push(&tree->chunks, chunk);
        for (unsigned i = 0; i < EDGE_CHUNK; i++) {
            chunk[i].next = tree->spare;
            tree->spare = &chunk[i];
        }
    }
    tsl_edge *edge = tree->spare;
    tree->spare = edge->next;
    *edge = (tsl_edge){.op = *op,
                       .choice = hop.choice,
                       .cond = hop.cond,
                       .pinned = hop.pinned,
                       .guessed = op->unknown,
                       .is_leaf = true};
    return edge;
}

void tsl_tree_lead_to(tsl_tree *tree, tsl_edge *leaf, uint32_t inputs) {
    tsl_inputs_hold(tree->inputs, inputs);
    tsl_inputs_release(tree->inputs, leaf->inputs);
    leaf->inputs = inputs;
}

tsl_tree_node *tsl_tree_make_node(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    tsl_tree_node *node = tree->spare_nodes;
    if (node)
        tree->spare_nodes = node->above;
    else
        node = tsl_alloc(sizeof *node);
    *node = (tsl_tree_node){.users = 1};
    tsl_op op = tsl_history_op(&c->history, (uint32_t)depth);
    tsl_edge *edge = tsl_edge_new(tree, &op, c->path.data[depth]);
    edge->state = TSL_EDGE_TAKEN;
    edge->sure = edge->executed = true;
    node->first = edge;
    c->stops.data[depth].node = node;
    c->stops.data[depth].taken = edge;
    return node;
}

tsl_edge *tsl_tree_add_edge(tsl_tree *tree, tsl_tree_node *node, tsl_edge *behind, tsl_hop hop,
                            const tsl_op *op) {
    tsl_edge **at = behind ? &behind->next : &node->first;
    while (!behind && *at)
        at = &(*at)->next;
    tsl_edge *edge = tsl_edge_new(tree, op, hop);
    edge->next = *at;
    tsl_tree_count(node, 1);
    return *at = edge;
}

// ---------------------------------------------------------------- where a cursor stands

bool tsl_ops_have(const tsl_op_list *ops, size_t from, unsigned thread) {
    for (size_t i = from; i < ops->len; i++)
        if (ops->data[i].thread == thread)
            return true;
    return false;
}

void tsl_cursor_unread(tsl_cursor *c, size_t n) {
    tsl_history_cut(&c->history, n);
    while (c->reversals.len && tsl_vec_last(&c->reversals).at >= n)
        c->reversals.len--;
    if (c->sleep_start.len > n + 1) {
        c->sleepers.len = c->sleep_start.data[n + 1];
        c->sleep_start.len = n + 1;
    }
}

void tsl_tree_cut(tsl_tree *tree, tsl_cursor *c, size_t n) {
    tsl_cursor_unread(c, n);
    while (c->stops.len > n + 1)
        if (c->stops.data[c->stops.len - 1].node)
            tsl_tree_leave(tree, c);
        else
            c->stops.len--;
    c->path.len = n < c->path.len ? n : c->path.len;
}
