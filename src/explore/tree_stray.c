// What if a run does not begin as it was planned?
//
// The steps of a Plan's prefix are known from earlier runs.  A program whose runs do not repeat
// takes other steps, or ends before it has taken all of them.  Such a run is counted, and the first
// step that differs is kept for the report.  Nothing is learned from the run, and its leaf leaves
// the tree as if the leaf had never been added.  The search goes on, but no longer claims that it
// has seen everything.
#include "explore/tree_inner.h"

// Takes the cursor's edge there out of the tree, and inner nodes that have no other edge.
static void take_out(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    for (;; depth--) {
        tsl_tree_node *node = c->stops.data[depth].node;
        tsl_edge **at = &node->first, *gone = c->stops.data[depth].taken;
        while (*at != gone)
            at = &(*at)->next;
        *at = gone->next;
        gone->next = NULL;
        tsl_edges_free(tree, gone);
        c->stops.data[depth].taken = NULL;
        if (node->first || node->doubts || !node->is_inner)
            return;
        tsl_tree_leave(tree, c);
    }
}

void tsl_tree_prune(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    tsl_tree_cut(tree, c, depth);
    take_out(tree, c, depth);
    tsl_tree_cut(tree, c, c->stops.len - 1);
}

void tsl_tree_stray(tsl_tree *tree, tsl_cursor *c, size_t planned,
                    const tsl_divergence *divergence) {
    tree->lost = tree->lost_any = true;
    tree->base.strayed = divergence != NULL;
    tsl_claim_weaken(&tree->base.claim, TSL_REASON_DIVERGED, divergence != NULL);
    if (divergence && tree->base.diverged++ == 0)
        tree->base.divergence = *divergence;
    tsl_cursor_unread(c, c->kept); // the way to the leaf stays
    tsl_tree_prune(tree, c, planned - 1);
}

// The edge has what is known of the planned step: what it did in an earlier run, or what it will do
// if it commutes with the steps that it was moved across.  The last step of a sequence was moved
// across a step that it depends on, so it may read and write elsewhere.
bool tsl_tree_follows(tsl_tree *tree, tsl_cursor *c, uint32_t s, tsl_hop hop, size_t planned,
                      const tsl_op *op) {
    if (s >= planned || TSL_BROKEN(STRAY_STEP))
        return true;
    const tsl_edge *edge = c->stops.data[s].taken;
    tsl_hop expected = c->path.data[s];
    bool is_new = edge && !edge->executed; // only then ANY means that the step may have a choice
    bool other_choice =
        expected.choice != hop.choice && !(is_new && expected.choice == TSL_ANY_CHOICE);
    if (expected.thread == hop.thread && !other_choice &&
        (!edge || !edge->op.kind ||
         tsl_op_as_expected(&edge->op, op, edge->executed || s + 1 < planned)))
        return true;
    tsl_divergence d = {.step = s, .came = tsl_op_event(op, c->history.steps.data[s].site)};
    if (edge)
        d.expected = tsl_op_event(&edge->op, 0);
    d.expected.thread = expected.thread;
    tsl_tree_stray(tree, c, planned, &d);
    return false;
}

bool tsl_tree_begins_as_kept(tsl_tree *tree, tsl_cursor *c, size_t planned) {
    size_t n = c->history.steps.len ? tsl_vec_last(&c->history.steps).next_event : 0;
    tsl_divergence d;
    if (tsl_prefix_same(&c->prefix, tree->run, n, &d) || TSL_BROKEN(STRAY_PREFIX))
        return true;
    tsl_tree_stray(tree, c, planned, &d);
    return false;
}

const tsl_events *tsl_tree_known(const tsl_strategy *strategy) {
    const tsl_tree *tree = (const tsl_tree *)strategy;
    return tree->nflying ? &tree->cursors[tree->flying[0]].prefix.events : NULL;
}

// Keeps the events of the steps that were not in the history before.
void tsl_tree_keep_prefix(tsl_cursor *c, const tsl_run *run) {
    const tsl_history *h = &c->history;
    if (h->steps.len > c->kept)
        tsl_prefix_keep(&c->prefix, run, c->kept ? h->steps.data[c->kept - 1].next_event : 0,
                        tsl_vec_last(&h->steps).next_event);
}

// Only the runtime knows where a thread that waits for several descriptors or signals can go on: there
// it can't.  It may be that it could earlier.
static bool is_blocked(const tsl_run *run, const tsl_op *planned) {
    return run->outcome == TSL_OUT_DIVERGED &&
           (planned->kind == TSL_EV_IO || planned->kind == TSL_EV_SIGWAIT);
}

bool tsl_tree_came_far_enough(tsl_tree *tree, tsl_cursor *c, size_t planned) {
    size_t n = c->history.steps.len;
    if (n >= planned || TSL_BROKEN(STRAY_SHORT))
        return true;
    tsl_divergence d = {.step = n};
    const tsl_edge *edge = c->stops.data[n].taken;
    if (edge)
        d.expected = tsl_op_event(&edge->op, 0);
    d.expected.thread = c->path.data[n].thread;
    bool cut = tsl_prefix_was_cut(tree->run->outcome);
    tree->base.impossible = !cut && n + 1 == planned && edge && is_blocked(tree->run, &edge->op);
    tsl_claim_weaken(&tree->base.claim, TSL_REASON_WAITS, tree->base.impossible);
    tsl_tree_stray(tree, c, planned, cut || tree->base.impossible ? NULL : &d);
    return false;
}
