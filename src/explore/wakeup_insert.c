// Does something at the node before e cover a wakeup sequence, and if not, where does it go?
//
// The sequence v walks down the wakeup tree along edges that are weak initials of what is left of v.
// At a leaf v is dropped, because the leaf covers it.  Where no edge is a weak initial, what is left
// of v becomes a new edge, and inner nodes below it.
//
// Short sequences.  Of v only e', what happens before e', and for everything that sleeps at the node
// or on the way down one step that wakes it are needed: then nothing sleeps behind the leaf, and
// the leaf leads to no order that its neighbours lead to.  It stands for every sequence that begins
// like this, whatever comes later.  So a race stays settled as long as the run does not change in
// front of the last step that was needed to settle it (`used`), and most runs look at few races.
// (An edge whose thread has no step in v is a weak initial because nothing in v conflicts with it.
// That may change with any later step, so then the race is looked at again: `strange`.)
//
// Doubts.  Whether an edge that has not run yet covers v may depend on its result.  If that makes
// the difference, v is stored at the node until the edge has run.

#include "explore/wakeup_quick.h"

// A sequence on its way down the wakeup tree.
typedef struct walk {
    tsl_tree *tree;
    tsl_wakeup *v;
    tsl_tree_node *node; // where v has come to; NULL: v has been dropped or added
    tsl_edge *beside;    // takes another alternative of the step at this place of v; or NULL
    size_t first;
    bool risky;    // v may turn out to be redundant, because a conflict is not known
    bool doubtful; // an edge may cover v, or may not
} walk;

// ---------------------------------------------------------------- adding

// The step at place i goes below the leaf, which was just added to the node; returns the new leaf.
static tsl_edge *add_below(walk *w, tsl_edge *leaf, size_t i) {
    tsl_op op = tsl_wakeup_op(w->v, i);
    tsl_edge *edge = tsl_edge_new(w->tree, &op, tsl_wakeup_hop(w->v, i));
    edge->sure = true;
    leaf->is_leaf = false;
    leaf->inner.is_inner = true;
    leaf->inner.above = w->node;
    leaf->inner.first = edge;
    leaf->inner.open = 1;
    w->node = &leaf->inner;
    return edge;
}

// The step at place i leaves the node, behind an edge; NULL: behind all.
static tsl_edge *add_edge(walk *w, tsl_edge *behind, size_t i) {
    tsl_op op = tsl_wakeup_op(w->v, i);
    tsl_edge *leaf = tsl_tree_add_edge(w->tree, w->node, behind, tsl_wakeup_hop(w->v, i), &op);
    leaf->sure = true;
    return leaf;
}

// Adds what is left, but for the places from `from` up to `to`, below the leaf.
static void add_rest(walk *w, tsl_edge *leaf, size_t from, size_t to) {
    const tsl_wakeup *v = w->v;
    for (size_t i = v->from; i < v->n; i++)
        if (!v->gone[i] && (i < from || i >= to))
            leaf = leaf ? add_below(w, leaf, i) : add_edge(w, NULL, i);
    tsl_tree_lead_to(w->tree, leaf, TSL_BROKEN(INPUTS) ? 0 : v->inputs);
    leaf->sure = v->last_is_sure || v->gone[v->n - 1];
    leaf->risky = w->risky;
}

// All that is left is needed.
static void use_rest(tsl_wakeup *v) {
    for (size_t i = v->from; i < v->n; i++)
        if (!v->gone[i])
            tsl_wakeup_use(v, i);
}

// The new edge goes right behind the one that takes another alternative, so that what sleeps behind
// the one sleeps behind the other.  What the inputs of its step decide comes with it.
static void add_beside(walk *w) {
    const tsl_wakeup *v = w->v;
    unsigned thread = tsl_wakeup_hop(v, w->first).thread;
    size_t to = w->first + 1;
    tsl_edge *leaf = add_edge(w, w->beside, w->first);
    for (; to < v->n && !v->gone[to]; to++) {
        tsl_hop hop = tsl_wakeup_hop(v, to);
        if (!tsl_hop_is_branch(hop) || hop.thread != thread)
            break;
        leaf = add_below(w, leaf, to);
    }
    add_rest(w, leaf, w->first, to);
}

static void add_doubt(walk *w) {
    w->v->strange = true;
    tsl_doubt *d = tsl_wakeup_store(w->v);
    d->risky = w->risky;
    tsl_inputs_hold(w->tree->inputs, d->inputs);
    d->next = w->node->doubts;
    w->node->doubts = d;
    tsl_tree_count(w->node, 1);
}

// ---------------------------------------------------------------- shortening

static bool can_shorten(const walk *w) {
    const tsl_wakeup *v = w->v;
    return !w->risky && !w->beside && v->last_is_sure && !v->doubt && v->without == TSL_NONE &&
           v->last->kind != TSL_EV_BARRIER_ARRIVE;
}

// The step at place k is needed, and so is its past.
static void keep_past(const tsl_wakeup *v, size_t k) {
    bool *keep = v->room->keep.data;
    if (keep[k])
        return;
    keep[k] = true;
    for (size_t i = v->from; i < k; i++)
        if (!keep[i] && tsl_history_before(v->h, v->steps[i], v->steps[k]))
            keep[i] = true;
}

static void keep_past_of_last(const tsl_wakeup *v) {
    size_t last = v->n - 1;
    bool *keep = v->room->keep.data;
    if (v->gone[last])
        return;
    if (v->second != TSL_NONE)
        for (size_t i = v->from; i < last; i++)
            keep[i] = tsl_history_before(v->h, v->steps[i], v->second);
    else
        for (size_t i = last; i-- > v->from;)
            if (!keep[i] && !v->gone[i] && tsl_wakeup_before(v, i, last) != TSL_ANSWER_NO)
                keep_past(v, i);
}

// A thread sleeps with `op`, and something in v wakes it.
static void keep_waker(const tsl_wakeup *v, const tsl_op *op) {
    size_t last = v->n - 1, waker = last, own = last;
    if (!v->gone[last] && tsl_op_conflict(op, v->last))
        return;
    for (size_t i = v->from; i < last; i++) {
        uint32_t step = v->steps[i];
        if (v->gone[i] || !tsl_history_conflict(v->h, op, step))
            continue;
        if (v->room->keep.data[i])
            return;
        if (v->h->steps.data[step].thread == op->thread)
            own = own == last ? i : own;
        else if (waker == last)
            waker = i;
    }
    if (waker < own)
        keep_past(v, waker);
    else if (own < last)
        keep_past(v, own);
}

// Threads can't be scheduled between a step and the input branches that it decides, so these come
// with the step.
static void keep_decided(const tsl_wakeup *v) {
    bool *keep = v->room->keep.data;
    for (size_t i = v->from; i + 1 < v->n && !TSL_BROKEN(DECIDED); i++)
        if (v->h->steps.data[v->steps[i]].kind == TSL_EV_BRANCH)
            keep[i] = i == 0 || keep[i - 1] || v->gone[i - 1];
}

// How many threads arrive at a barrier before another matters.
static bool keeps_arrival(const tsl_wakeup *v) {
    for (size_t i = v->from; i + 1 < v->n; i++)
        if (v->room->keep.data[i] && v->h->steps.data[v->steps[i]].kind == TSL_EV_BARRIER_ARRIVE)
            return true;
    return false;
}

// The less v says, the more orders its leaf stands for.
static void shorten(tsl_wakeup *v) {
    tsl_wakeup_room *room = v->room;
    tsl_vec_reserve(&room->keep, v->n);
    memset(room->keep.data, 0, v->n);
    keep_past_of_last(v);
    for (size_t i = 0; i < room->awaken.len && !TSL_BROKEN(WAKERS); i++)
        keep_waker(v, room->awaken.data[i]);
    if (keeps_arrival(v))
        return;
    keep_decided(v);
    for (size_t i = v->from; i + 1 < v->n; i++)
        v->gone[i] |= !room->keep.data[i];
}

// ---------------------------------------------------------------- input branches on the way down

// How the input branch that the edge stands for comes out under the inputs of v.  What these do not
// say is taken from the inputs of a run that came by there.
static tsl_hop outcome(walk *w, const tsl_edge *edge) {
    tsl_inputs *in = w->tree->inputs;
    const tsl_edge *leaf = edge;
    while (!leaf->is_leaf)
        leaf = leaf->inner.first;
    uint32_t inputs = tsl_inputs_join(in, w->v->inputs, leaf->inputs);
    tsl_inputs_release(in, w->v->inputs);
    w->v->inputs = inputs;
    tsl_hop hop = tsl_edge_hop(edge);
    if (TSL_BROKEN(OUTCOME) || tsl_inputs_value(in, inputs, hop.cond).lo)
        return hop;
    if (!tsl_hop_is_pin(hop)) {
        hop.choice ^= TSL_BRANCH_TRUE;
        hop.cond = tsl_term_not(in->terms, hop.cond);
        return hop;
    }
    tsl_value value = tsl_inputs_value(in, inputs, hop.pinned);
    hop.choice = (uint16_t)(TSL_BRANCH_CHOICE | tsl_pin_res(value.lo));
    hop.cond =
        tsl_term_binary(in->terms, TSL_EXPR_EQ, hop.pinned,
                        tsl_term_const(in->terms, tsl_term_width(in->terms, hop.pinned), value));
    return hop;
}

// No run has taken this side of an input branch.  `at`: its place in v, or n if v does not have it.
static void add_side(walk *w, tsl_edge *behind, tsl_hop hop, size_t at) {
    use_rest(w->v);
    if (at < w->v->n) {
        w->beside = behind;
        w->first = at;
        add_beside(w);
    } else {
        w->v->strange = true;
        tsl_edge *leaf = tsl_tree_add_edge(w->tree, w->node, behind, hop, &behind->op);
        leaf->sure = true;
        tsl_tree_node *inner = &leaf->inner;
        add_rest(w, leaf, 0, 0);
        inner->may_branch = true;
    }
    w->node = NULL;
}

// From a node before an input branch along the sides that the inputs of v take, up to a node where
// threads take turns.
static void follow_inputs(walk *w) {
    while (w->node) {
        if (w->node->may_branch) {
            add_doubt(w); // until it has run
            w->node = NULL;
            return;
        }
        tsl_edge *edge = w->node->first;
        if (!edge || !tsl_hop_is_branch(tsl_edge_hop(edge)))
            return;
        size_t at = tsl_wakeup_next(w->v, edge->op.thread);
        tsl_hop hop = at < w->v->n ? tsl_wakeup_hop(w->v, at) : outcome(w, edge);
        while (edge->choice != hop.choice && edge->next)
            edge = edge->next;
        if (edge->choice != hop.choice) {
            add_side(w, edge, hop, at);
            return;
        }
        tsl_wakeup_go_past(w->v, at);
        w->node = edge->is_leaf ? NULL : &edge->inner;
    }
}

// ---------------------------------------------------------------- the way down

static bool is_empty(const walk *w) { return !w->v->quick && w->v->from == w->v->n; }

// What the edge's answer means if the walk does not go on behind the edge.
static void note_answer(walk *w, tsl_edge *edge, enum tsl_answer a, size_t at) {
    if (a == TSL_ANSWER_OTHER_CHOICE) {
        w->beside = edge;
        w->first = at;
    } else
        tsl_vec_push(&w->v->room->awaken, &edge->op);
    w->risky |= a == TSL_ANSWER_UNKNOWN && edge->sure;
    w->doubtful |= a == TSL_ANSWER_UNKNOWN && !edge->sure;
}

// The edge covers v, which goes on behind the edge.
static tsl_edge *go_past(walk *w, tsl_edge *edge, size_t at, bool quick) {
    w->node = &edge->inner;
    w->beside = NULL;
    if (quick) {
        quick_go_past(w->v, at);
        return w->node->first;
    }
    tsl_wakeup_go_past(w->v, at);
    follow_inputs(w);
    return w->node && !is_empty(w) ? w->node->first : NULL;
}

// Goes down to where no edge covers v.  `own` is the edge that the race is about.  False: the quick
// form does not know.  `quick` is a constant, so that the compiler makes a short loop for that form.
static inline __attribute__((always_inline)) bool go_down(walk *w, const tsl_edge *own,
                                                          bool quick) {
    tsl_wakeup *v = w->v;
    for (tsl_edge *edge = w->node ? w->node->first : NULL; edge;) {
        size_t at;
        if (edge == own) {
            edge = edge->next;
            continue;
        }
        if (quick && (edge->risky || !edge->sure || edge->choice != TSL_ANY_CHOICE))
            return false;
        enum tsl_answer a = quick ? quick_covers(v, &edge->op, &at)
                                  : tsl_wakeup_covers(v, &edge->op, edge->sure, edge->choice, &at);
        if (quick && a == TSL_ANSWER_UNKNOWN)
            return false;
        if (a == TSL_ANSWER_YES && !edge->is_leaf) {
            edge = go_past(w, edge, at, quick);
            continue;
        }
        if (a == TSL_ANSWER_YES) {
            tsl_wakeup_use(v, at);
            if (!edge->risky) {
                w->node = NULL;
                return true;
            }
            w->doubtful = true; // the edge may turn out to be redundant, and then it covers nothing
        }
        note_answer(w, edge, a, at);
        edge = edge->next;
    }
    return true;
}

// No edge covers what is left of v.
static void add(walk *w) {
    tsl_claim_weaken(&w->tree->base.claim, TSL_REASON_UNPREDICTED, w->risky || w->doubtful);
    if (w->doubtful) {
        add_doubt(w);
        return;
    }
    if (w->v->quick)
        tsl_wakeup_list(w->v);
    TSL_BUG_ON(is_empty(w) && w->node->first, "nothing is left of a sequence that nothing covers");
    if (is_empty(w)) // and a doubt waits at the node
        return;
    if (can_shorten(w))
        shorten(w->v);
    use_rest(w->v);
    if (w->beside)
        add_beside(w);
    else
        add_rest(w, NULL, 0, 0);
}

static inline __attribute__((always_inline)) bool walk_down(walk *w, const tsl_edge *own,
                                                            bool quick) {
    if (!quick)
        follow_inputs(w);
    if (!go_down(w, own, quick))
        return false;
    if (w->node && !is_empty(w))
        add(w);
    return true;
}

// ---------------------------------------------------------------- the rule's questions

// Does an edge of the node that is done cover v?  Its step sleeps there.
static bool is_done(const tsl_cursor *c, tsl_wakeup *v) {
    size_t at;
    const tsl_stop *stop = &c->stops.data[v->first];
    for (const tsl_edge *edge = stop->node ? stop->node->first : NULL; edge; edge = edge->next)
        if (edge != stop->taken && edge->state == TSL_EDGE_DONE && edge->is_leaf &&
            tsl_wakeup_covers(v, &edge->op, true, TSL_ANY_CHOICE, &at) == TSL_ANSWER_YES) {
            tsl_wakeup_use(v, at);
            return true;
        }
    return false;
}

// Does something that sleeps at the node cover v?  All else there has to be woken.
static inline __attribute__((always_inline)) enum tsl_answer is_asleep(walk *w, const tsl_cursor *c,
                                                                       bool quick) {
    size_t n, at;
    tsl_wakeup *v = w->v;
    const tsl_op *sleep = tsl_sleep_set(c, v->first, &n);
    tsl_vec_clear(&v->room->awaken);
    for (size_t i = 0; i < n; i++) {
        enum tsl_answer a = quick ? quick_covers(v, &sleep[i], &at)
                                  : tsl_wakeup_covers(v, &sleep[i], true, TSL_ANY_CHOICE, &at);
        if (a == TSL_ANSWER_YES)
            tsl_wakeup_use(v, at);
        if (a == TSL_ANSWER_YES || (a == TSL_ANSWER_UNKNOWN && quick))
            return a;
        w->risky |= a == TSL_ANSWER_UNKNOWN;
        tsl_vec_push(&v->room->awaken, &sleep[i]);
    }
    return TSL_ANSWER_NO;
}

// False: the quick form does not know.
static inline __attribute__((always_inline)) bool insert(tsl_tree *tree, tsl_cursor *c,
                                                         tsl_wakeup *v, bool quick) {
    walk w = {.tree = tree, .v = v};
    enum tsl_answer asleep = is_asleep(&w, c, quick);
    if (asleep != TSL_ANSWER_NO)
        return asleep == TSL_ANSWER_YES;
    if (!quick && is_done(c, v))
        return true;
    w.node = tsl_tree_node_at(tree, c, v->first);
    return walk_down(&w, c->stops.data[v->first].taken, quick);
}

void tsl_wakeup_insert(tsl_tree *tree, tsl_cursor *c, tsl_reversal *r) {
    tsl_wakeup v;
    if (!quick_of_reversal(&v, tree, c, r) || !insert(tree, c, &v, true)) {
        tsl_wakeup_listed(&v, tree, c, r);
        tsl_inputs_hold(tree->inputs, v.inputs);
        insert(tree, c, &v, false);
        tsl_inputs_release(tree->inputs, v.inputs);
    }
    r->settled = v.strange ? TSL_NONE : v.used;
}

void tsl_wakeup_settle(tsl_tree *tree, tsl_tree_node *node) {
    tsl_doubt *doubts = node->doubts;
    node->doubts = NULL;
    for (tsl_doubt *d = doubts, *next; d; d = next) {
        next = d->next;
        tsl_tree_count(node, -1);
        tsl_wakeup v;
        tsl_wakeup_stored(&v, tree, d); // with the inputs, which v passes on
        tsl_vec_clear(&v.room->awaken);
        walk_down(&(walk){.tree = tree, .v = &v, .node = node, .risky = d->risky}, NULL, false);
        tsl_inputs_release(tree->inputs, v.inputs);
        tsl_free(d);
    }
}
