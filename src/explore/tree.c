#include "explore/tree_inner.h"

#include <string.h>

#include "base/deadline.h"
#include "base/err.h"
#include "base/mem.h"
#include "model/inside.h"
#include "model/state.h"

enum { BRANCH_CHUNK = 256 };

// ---------------------------------------------------------------- making and freeing

// One that runs, one that waits to run, and who is done has its Trace read meanwhile.
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

static void clear_doubts(tsl_tree *tree, tsl_node *node) {
    for (tsl_doubt *d = node->doubts, *next; d; d = next) {
        next = d->next;
        TSL_BUG_ON(!tree->ending && !tree->lost_any, "a doubt of %u steps was lost", d->n);
        tsl_inputs_release(tree->inputs, d->inputs);
        tsl_free(d);
    }
}

// A list of branches and all below: sequences are long, so not by recursion.
void tsl_branches_free(tsl_tree *tree, tsl_branch *list) {
    while (list) {
        tsl_branch *b = list;
        TSL_BUG_ON(!tree->ending && !tree->lost_any && b->is_leaf && b->state == TSL_BRANCH_OPEN,
                   "a branch of thread %u was lost", b->op.thread);
        list = b->next;
        tsl_inputs_release(tree->inputs, b->inputs);
        if (!b->is_leaf) {
            clear_doubts(tree, &b->inner);
            for (tsl_branch *below = b->inner.first, *next; below; below = next) {
                next = below->next;
                below->next = list;
                list = below;
            }
        }
        b->next = tree->spare;
        tree->spare = b;
    }
}

static void clear_node(tsl_tree *tree, tsl_node *node) {
    clear_doubts(tree, node);
    tsl_branches_free(tree, node->first);
}

void tsl_tree_leave(tsl_tree *tree, tsl_cursor *c) {
    tsl_node *node = tsl_vec_pop(&c->stops).node;
    if (!node || node->is_inner || --node->users)
        return;
    clear_node(tree, node);
    tsl_free(node);
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
    for (size_t i = 0; i < tree->chunks.len; i++)
        tsl_free(tree->chunks.data[i]);
    tsl_vec_drop(&tree->chunks);
    tsl_order_drop(&tree->order);
    tsl_sync_drop(&tree->sync);
    tsl_vec_drop(&tree->races);
    tsl_vec_drop(&tree->rest);
    tsl_enabled_drop(&tree->enabled);
    tsl_vec_drop(&tree->gone);
    tsl_vec_drop(&tree->keep);
    tsl_vec_drop(&tree->awaken);
    tsl_free(tree);
}

// ---------------------------------------------------------------- branches

// They come and go by the million: from a list of spare ones.
tsl_branch *tsl_branch_new(tsl_tree *tree, const tsl_op *op, tsl_hop hop) {
    if (!tree->spare) {
        tsl_branch *chunk = tsl_alloc(BRANCH_CHUNK * sizeof *chunk);
        tsl_vec_push(&tree->chunks, chunk);
        for (unsigned i = 0; i < BRANCH_CHUNK; i++) {
            chunk[i].next = tree->spare;
            tree->spare = &chunk[i];
        }
    }
    tsl_branch *b = tree->spare;
    tree->spare = b->next;
    *b = (tsl_branch){.op = *op,
                      .choice = hop.choice,
                      .cond = hop.cond,
                      .pinned = hop.pinned,
                      .guessed = op->unknown,
                      .is_leaf = true};
    return b;
}

void tsl_tree_lead_to(tsl_tree *tree, tsl_branch *leaf, uint32_t inputs) {
    tsl_inputs_hold(tree->inputs, inputs);
    tsl_inputs_release(tree->inputs, leaf->inputs);
    leaf->inputs = inputs;
}

tsl_node *tsl_tree_node(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    if (c->stops.data[depth].node)
        return c->stops.data[depth].node;
    tsl_node *node = tsl_alloc(sizeof *node);
    tsl_op op = tsl_history_op(&c->history, (uint32_t)depth);
    tsl_branch *b = tsl_branch_new(tree, &op, c->path.data[depth]);
    b->state = TSL_BRANCH_TAKEN;
    b->sure = b->executed = true;
    node->first = b;
    node->users = 1;
    c->stops.data[depth].node = node;
    c->stops.data[depth].taken = b;
    return node;
}

tsl_branch *tsl_tree_branches(const tsl_cursor *c, size_t depth) {
    return c->stops.data[depth].node ? c->stops.data[depth].node->first : NULL;
}

tsl_branch *tsl_branch_add_behind(tsl_tree *tree, tsl_branch *left, const tsl_op *op, tsl_hop hop) {
    tsl_branch *b = tsl_branch_new(tree, op, hop);
    b->next = left->next;
    return left->next = b;
}

tsl_branch *tsl_branch_add_last(tsl_tree *tree, tsl_node *node, const tsl_op *op, tsl_hop hop) {
    tsl_branch **end = &node->first;
    while (*end)
        end = &(*end)->next;
    return *end = tsl_branch_new(tree, op, hop);
}

tsl_branch *tsl_tree_add(tsl_tree *tree, tsl_node *node, const tsl_op *op) {
    tsl_node_count(node, 1);
    tsl_branch *b = tsl_branch_add_last(tree, node, op,
                                        (tsl_hop){.thread = op->thread, .choice = TSL_ANY_CHOICE});
    tsl_tree_lead_to(tree, b, tree->reader->inputs);
    return b;
}

tsl_branch *tsl_tree_add_behind(tsl_tree *tree, tsl_node *node, tsl_branch *behind, tsl_hop hop,
                                tsl_op op) {
    tsl_branch *b = behind ? tsl_branch_add_behind(tree, behind, &op, hop)
                           : tsl_branch_add_last(tree, node, &op, hop);
    b->sure = true;
    tsl_node_count(node, 1);
    return b;
}

tsl_branch *tsl_tree_add_below(tsl_tree *tree, tsl_node *node, tsl_branch *leaf, tsl_hop hop,
                               tsl_op op) {
    tsl_branch *b = tsl_branch_new(tree, &op, hop);
    b->sure = true;
    leaf->is_leaf = false;
    leaf->inner.is_inner = true;
    leaf->inner.above = node;
    leaf->inner.first = b;
    leaf->inner.open = 1;
    return b;
}

// ---------------------------------------------------------------- where a cursor stands

void tsl_tree_cut(tsl_tree *tree, tsl_cursor *c, size_t n) {
    tsl_history_cut(&c->history, n);
    while (c->reversals.len && tsl_vec_last(&c->reversals).at >= n)
        c->reversals.len--;
    while (c->stops.len > n + 1)
        if (c->stops.data[c->stops.len - 1].node)
            tsl_tree_leave(tree, c);
        else
            c->stops.len--;
    c->path.len = n < c->path.len ? n : c->path.len;
    if (c->sleep_start.len > n + 1) {
        c->sleepers.len = c->sleep_start.data[n + 1];
        c->sleep_start.len = n + 1;
    }
}

void tsl_tree_enabled(tsl_tree *tree, const tsl_cursor *c, size_t depth, tsl_step_list *out) {
    size_t until = depth ? c->history.steps.data[depth - 1].next_event : 0;
    tsl_enabled_clear(&tree->enabled);
    tsl_run_enabled(tree->run, tsl_run_behind_notes(tree->run, until), &tree->enabled);
    tsl_vec_clear(out);
    for (size_t i = 0; i < tree->enabled.threads.len; i++)
        tsl_vec_push(out, tree->enabled.threads.data[i]);
}

void tsl_tree_report_races(tsl_tree *tree, const tsl_cursor *c) {
    const tsl_race_sink *sink = tree->search.races;
    if (!sink || !tree->races.len)
        return;
    const tsl_history *h = &c->history;
    uint32_t second = (uint32_t)h->steps.len - 1;
    if (!tsl_race_may_be_data(h, second))
        return;
    bool atomic = !h->has_touch && tsl_race_is_one_atomic(h, second);
    for (size_t i = 0; i < tree->races.len; i++) {
        uint32_t first = tree->races.data[i].first;
        if (atomic && tsl_race_is_one_atomic(h, first))
            continue;
        if (h->has_touch || tsl_race_is_data(h, first, second))
            tsl_race_tell(sink, h, first, second);
    }
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

static void report_by_clocks(const tsl_tree *tree, const tsl_history *h, uint32_t second) {
    const tsl_race_sink *sink = tree->search.races;
    for (size_t i = 0; i < tree->sync.races.len; i++)
        sink->found(sink->self, &(tsl_found){.history = h,
                                             .first = tree->sync.races.data[i],
                                             .second = second,
                                             .how = TSL_FOUND_WEAK,
                                             .sync = &tree->sync});
}

void tsl_tree_report_weak_races(tsl_tree *tree, const tsl_cursor *c) {
    const tsl_history *h = &c->history;
    if (!tree->search.races || !h->by_clocks)
        return;
    tsl_sync_begin(&tree->sync);
    for (uint32_t s = 0; s < h->steps.len; s++) {
        tsl_deadline_ask();
        tsl_sync_read(&tree->sync, h, s);
        report_by_clocks(tree, h, s);
    }
}

void tsl_tree_report_weak_pending(tsl_tree *tree, const tsl_cursor *c) {
    const tsl_history *h = &c->history;
    uint32_t s = (uint32_t)h->steps.len - 1;
    if (!tree->search.races || !h->by_clocks || !tsl_is_plain(h->steps.data[s].kind))
        return;
    tsl_sync_peek(&tree->sync, h, s);
    report_by_clocks(tree, h, s);
}
