// Optimal reduction: one run per Mazurkiewicz trace, and no run for nothing.
//
// Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction (POPL 2014;
// JACM 2017).  After a race of e and e' the sequence
//
//     v  =  all steps of the run behind e that do not happen after e, then e'
//
// leads from the node before e to a trace with the two the other way round.  It is added
// there unless something explored, asleep or waiting at that node is a weak initial of v:
// could be run first without leaving the trace.  Then everything v stands for is explored
// from that other branch, or was.  Running v wakes everything that sleeps at its node (what
// it does not wake would be a weak initial), so no run ends with all threads asleep.
//
// What waits at a node is kept as a wakeup tree: v walks down along branches that are weak
// initials of what is left of it, and is dropped at a leaf or becomes a new branch.
//
// Short sequences.  Of v only e', what happens before it, and for everything that sleeps at
// the node or on the way down one step that wakes it are needed: then nothing sleeps behind
// the leaf, and it shares no trace with its neighbours.  It stands for every v that begins like
// this, whatever comes later.  So a race stays settled as long as the run does not change in
// front of the last step that was needed to settle it, and most runs look at few races.
// (A branch that v has no step for is a weak initial because nothing in v conflicts with it:
// that may change with any later step, and then the race is looked at again.)
//
// Where we differ: leaves may be explored in any order.  Behind a leaf nothing sleeps, so it
// is complete by itself; what sleeps on the way there is fixed by the order in which
// branches were added.  That lets several runs be under way.
//
// Results.  Whether e' conflicts with others may depend on what it returns once it runs
// earlier.  Locks and their like are predicted from the state of the object, a
// compare-and-swap from what is known of the values (conflict.h).  If they are not known
// (accesses of different sizes), the search starts over with all compare-and-swaps as writes:
// more runs than there have to be, but none is missed.  What is left (a futex wait that
// gives up) is run, and thrown away should it turn out that something sleeps behind it: the
// one case of a run for nothing; or, if a branch that has not run yet makes the difference,
// the sequence waits until it has (a doubt).  That is not exact, so then nothing is called
// complete.
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/sabotage.h"
#include "explore/tree.h"

enum answer { NO, YES, UNKNOWN, OTHER_CHOICE };

// The sequence, either as steps of a history or on its own.  Steps that a branch on the
// way down has covered are gone.
typedef struct sequence {
    size_t n;
    bool *gone;
    size_t from; // all in front of it are gone
    bool last_is_sure;
    const tsl_op *last;
    // What the way down has shown: the last step of the history that a branch stands for, and
    // whether some branch stands for none.
    uint32_t used;
    bool strange;
    // of a history
    const tsl_history *h;
    uint32_t first;            // the step it is to come before
    const tsl_step_list *rest; // all but the last
    uint32_t second;           // the last, if it does what it did in the history, or TSL_NONE
    uint32_t woken_by;         // the step that lets the last one run, or TSL_NONE
    uint32_t without;          // the arrival it races with and that is gone, or TSL_NONE
    // on its own
    const tsl_doubt *doubt;
} sequence;

// ---------------------------------------------------------------- dependence in doubt

static enum answer conflict(const tsl_op *a, bool a_sure, const tsl_op *b, bool b_sure) {
    if (a_sure && b_sure)
        return tsl_op_conflict(a, b) ? YES : NO;
    tsl_op a1 = a_sure ? *a : tsl_op_at_most(a), a2 = a_sure ? *a : tsl_op_at_least(a);
    tsl_op b1 = b_sure ? *b : tsl_op_at_most(b), b2 = b_sure ? *b : tsl_op_at_least(b);
    bool x = tsl_op_conflict(&a1, &b1);
    if (x != tsl_op_conflict(&a1, &b2) || x != tsl_op_conflict(&a2, &b1) ||
        x != tsl_op_conflict(&a2, &b2))
        return UNKNOWN;
    return x ? YES : NO;
}

// ---------------------------------------------------------------- steps of a sequence

static bool is_last(const sequence *v, size_t i) { return i + 1 == v->n; }

static unsigned thread_of(const sequence *v, size_t i) {
    if (is_last(v, i))
        return v->last->thread;
    return v->doubt ? v->doubt->ops[i].thread : v->h->steps.data[v->rest->data[i]].thread;
}

static tsl_hop hop_of(const sequence *v, size_t i) {
    if (v->doubt)
        return v->doubt->hops[i];
    if (is_last(v, i))
        return (tsl_hop){v->last->thread, TSL_ANY_CHOICE};
    const tsl_step *step = &v->h->steps.data[v->rest->data[i]];
    return (tsl_hop){step->thread, step->nchoices > 1 ? step->choice : TSL_ANY_CHOICE};
}

// As it is in the sequence, where the arrival it raced with is missing.
static tsl_op op_of(const sequence *v, size_t i) {
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
static enum answer before(const sequence *v, size_t i, size_t k) {
    if (v->doubt)
        return v->doubt->before[i * v->n + k] ? YES : NO;
    uint32_t step = v->rest->data[i];
    if (!is_last(v, k))
        return tsl_history_before(v->h, step, v->rest->data[k]) ? YES : NO;
    if (step == v->woken_by)
        return YES;
    if (v->last_is_sure && v->last->kind != TSL_EV_BARRIER_ARRIVE)
        return tsl_history_conflict(v->h, v->last, step) ? YES : NO;
    tsl_op op = op_of(v, i);
    return conflict(&op, true, v->last, v->last_is_sure);
}

// ---------------------------------------------------------------- weak initials

static enum answer is_initial(const sequence *v, size_t k) {
    if (!v->doubt && !is_last(v, k)) { // its past lies before the node
        uint32_t latest = v->h->steps.data[v->rest->data[k]].latest;
        if (latest == TSL_NONE || latest < v->first)
            return YES;
    }
    enum answer all = YES;
    for (size_t i = v->from; i < k; i++) {
        if (v->gone[i])
            continue;
        enum answer a = before(v, i, k);
        if (a == YES)
            return NO;
        if (a == UNKNOWN)
            all = UNKNOWN;
    }
    return all;
}

// Does nothing in the sequence conflict with it?
static enum answer commutes(const sequence *v, const tsl_op *op, bool sure) {
    tsl_op moving = *op;
    bool fast = sure && !v->doubt && op->kind != TSL_EV_BARRIER_ARRIVE;
    enum answer all = YES;
    for (size_t i = v->from; i < v->n; i++) {
        if (v->gone[i])
            continue;
        if (fast && !is_last(v, i)) {
            if (tsl_history_conflict(v->h, op, v->rest->data[i]))
                return NO;
            continue;
        }
        tsl_op other = op_of(v, i);
        enum answer a = conflict(&moving, sure, &other, !is_last(v, i) || v->last_is_sure);
        if (a == YES)
            return NO;
        if (a == UNKNOWN)
            all = UNKNOWN;
        tsl_op_pass(&moving, &other);
    }
    return all;
}

// Is `op`, the next step of its thread at the node, a weak initial of the sequence?
// `choice`: only with this one; TSL_ANY_CHOICE: with any.  `at`: which step it is.
static enum answer covers(const sequence *v, const tsl_op *op, bool sure, unsigned choice,
                          size_t *at) {
    for (size_t i = v->from; i < v->n; i++) {
        if (v->gone[i] || thread_of(v, i) != op->thread)
            continue;
        unsigned its = hop_of(v, i).choice;
        *at = i;
        enum answer initial = is_initial(v, i);
        bool other = its != TSL_ANY_CHOICE && choice != TSL_ANY_CHOICE && its != choice;
        return !other ? initial : initial == YES ? OTHER_CHOICE : NO;
    }
    *at = v->n;
    return commutes(v, op, sure);
}

// ---------------------------------------------------------------- adding

// `beside`: a branch with another choice of step `first`.  It goes right behind that, so
// that who sleeps on the one sleeps on the other.
static void add_branch(tsl_tree *tree, tsl_node *node, const sequence *v, bool risky,
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
    leaf->sure = v->last_is_sure || v->gone[v->n - 1];
    leaf->risky = risky;
}

static void add_doubt(tsl_node *node, const sequence *v, bool risky) {
    size_t n = v->n, left = 0;
    tsl_doubt *d = tsl_alloc(sizeof *d + n * (sizeof *d->ops + sizeof *d->hops + n * sizeof(bool)));
    size_t *at = tsl_alloc(n * sizeof *at);
    for (size_t i = 0; i < n; i++)
        if (!v->gone[i])
            at[left++] = i;
    d->n = (uint32_t)left;
    d->last_is_sure = v->last_is_sure;
    d->risky = risky;
    d->hops = (tsl_hop *)&d->ops[left];
    d->before = (bool *)&d->hops[left];
    for (size_t i = 0; i < left; i++) {
        d->ops[i] = op_of(v, at[i]);
        d->hops[i] = hop_of(v, at[i]);
        for (size_t k = i + 1; k < left; k++)
            d->before[i * left + k] = before(v, at[i], at[k]) == YES;
    }
    tsl_free(at);
    d->next = node->doubts;
    node->doubts = d;
    tsl_node_count(node, 1);
}

// ---------------------------------------------------------------- shortening

static bool can_shorten(const sequence *v, bool risky) {
    return !risky && v->last_is_sure && !v->doubt && v->without == TSL_NONE &&
           v->last->kind != TSL_EV_BARRIER_ARRIVE;
}

// Step number k of the sequence is needed, and so is its past.
static void keep_past(tsl_tree *tree, const sequence *v, size_t k) {
    bool *keep = tree->keep.data;
    if (keep[k])
        return;
    keep[k] = true;
    for (size_t i = v->from; i < k; i++)
        if (!keep[i] && tsl_history_before(v->h, v->rest->data[i], v->rest->data[k]))
            keep[i] = true;
}

// Somebody sleeps with `op`, and something in the sequence wakes it.
static void keep_waker(tsl_tree *tree, const sequence *v, const tsl_op *op) {
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

// Of the sequence only what e' can't do without is needed, and what wakes everything that
// sleeps on the way there: the less it says, the more traces it stands for.
static void shorten(tsl_tree *tree, sequence *v) {
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
            if (!keep[i] && !v->gone[i] && before(v, i, last) != NO)
                keep_past(tree, v, i);
    for (size_t i = 0; i < tree->awaken.len && !TSL_BROKEN(WAKERS); i++)
        keep_waker(tree, v, tree->awaken.data[i]);
    for (size_t i = v->from; i < last; i++)
        if (keep[i] && v->h->steps.data[v->rest->data[i]].kind == TSL_EV_BARRIER_ARRIVE)
            return; // how many arrive before it matters
    for (size_t i = v->from; i < last; i++)
        v->gone[i] |= !keep[i];
}

static void use(sequence *v, size_t at) {
    if (at == v->n)
        v->strange = true;
    else if (at + 1 < v->n && !v->doubt && v->rest->data[at] > v->used)
        v->used = v->rest->data[at];
}

static void use_all(sequence *v) {
    for (size_t i = v->from; i < v->n; i++)
        if (!v->gone[i])
            use(v, i);
}

// ---------------------------------------------------------------- the way down

static bool is_empty(const sequence *v) { return v->from == v->n; }

// Walks down the wakeup tree.  `own`: the branch of the node the race is about.
static void walk(tsl_tree *tree, tsl_node *node, const tsl_branch *own, sequence *v, bool risky) {
    bool doubtful = false;
    tsl_branch *beside = NULL;
    size_t first = 0;
    for (tsl_branch *b = node->first; b;) {
        size_t at = 0;
        enum answer a = b == own ? NO : covers(v, &b->op, b->sure, b->choice, &at);
        if (a == YES && b->is_leaf) {
            use(v, at);
            if (!b->risky)
                return;
            doubtful = true; // it might not be there to cover it
        }
        if (a == YES && !b->is_leaf) {
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
        if (a == OTHER_CHOICE) {
            beside = b;
            first = at;
        } else if (b != own)
            tsl_vec_push(&tree->awaken, &b->op);
        risky |= a == UNKNOWN && b->sure;
        doubtful |= a == UNKNOWN && !b->sure;
        b = b->next;
    }
    tree->base.unsure |= risky || doubtful;
    if (doubtful) {
        v->strange = true;
        add_doubt(node, v, risky);
        return;
    }
    if (can_shorten(v, risky) && !beside)
        shorten(tree, v);
    use_all(v);
    add_branch(tree, node, v, risky, beside, first);
}

// ---------------------------------------------------------------- adding, whatever it is

static void insert(tsl_tree *tree, tsl_cursor *c, size_t depth, sequence *v) {
    size_t n, at;
    bool risky = false, few[128] = {0};
    v->gone = v->n <= 128 ? few : tsl_alloc(v->n);
    const tsl_op *sleep = tsl_cursor_sleep(c, depth, &n);
    bool covered = false;
    tsl_vec_clear(&tree->awaken);
    for (size_t i = 0; i < n && !covered; i++) {
        enum answer a = covers(v, &sleep[i], true, TSL_ANY_CHOICE, &at);
        covered = a == YES;
        risky |= a == UNKNOWN;
        if (covered)
            use(v, at);
        tsl_vec_push(&tree->awaken, &sleep[i]);
    }
    const tsl_node *there = c->stops.data[depth].node;
    for (const tsl_branch *b = there ? there->first : NULL; b && !covered; b = b->next)
        if (b != c->stops.data[depth].taken && b->state == TSL_BRANCH_DONE && b->is_leaf)
            if (covers(v, &b->op, true, TSL_ANY_CHOICE, &at) == YES) {
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

// A result has become known, perhaps.
static void settle(tsl_tree *tree, tsl_node *node) {
    tsl_doubt *doubts = node->doubts;
    node->doubts = NULL;
    for (tsl_doubt *d = doubts, *next; d; d = next) {
        next = d->next;
        tsl_node_count(node, -1);
        bool *gone = tsl_alloc(d->n);
        sequence v = {.n = d->n,
                      .gone = gone,
                      .last_is_sure = d->last_is_sure,
                      .last = &d->ops[d->n - 1],
                      .second = TSL_NONE,
                      .woken_by = TSL_NONE,
                      .without = TSL_NONE,
                      .doubt = d};
        walk(tree, node, NULL, &v, d->risky);
        tsl_free(gone);
        tsl_free(d);
    }
}

// ---------------------------------------------------------------- the usual case

// No choices, no results in doubt, no arrivals at barriers: then v need not be written down to
// see that it is covered.  What follows asks the history instead.  `gone` are the steps
// that branches on the way down stand for.

typedef struct unwritten {
    const tsl_history *h;
    const tsl_found_race *r;
    uint32_t *gone; // by slot: the index of the last one that is, or 0; those before it are too
    bool last_is_gone;
} unwritten;

// The step lies behind e.
static bool is_gone(const unwritten *v, uint32_t step) {
    const tsl_step *s = &v->h->steps.data[step];
    return s->index <= v->gone[s->slot];
}

// The first step of the thread that is left, or TSL_NONE.
static uint32_t next_left(const unwritten *v, unsigned thread) {
    const tsl_history *h = v->h;
    uint32_t first = v->r->race.first, slot = h->slot_of[thread % TSL_MAX_THREADS], s;
    if (!slot)
        return TSL_NONE;
    uint32_t gone = v->gone[slot - 1];
    const tsl_positions *steps = &h->by_slot.data[slot - 1];
    if (!gone)
        s = tsl_history_next_of(h, thread, first);
    else
        s = gone < steps->len ? steps->data[gone] : TSL_NONE;
    bool left = s != TSL_NONE && s != v->r->second && !tsl_history_before(h, first, s);
    return left ? s : TSL_NONE;
}

// Does nothing that is left happen before step s?
static bool step_is_initial(const unwritten *v, uint32_t s) {
    const tsl_history *h = v->h;
    uint32_t first = v->r->race.first, latest = h->steps.data[s].latest;
    if (latest == TSL_NONE || latest < first)
        return true;
    if (!is_gone(v, latest))
        return false;
    // Of each thread the last one that does; if that is gone, so are those in front of it.
    for (unsigned slot = 0; slot < h->slots.len; slot++) {
        uint32_t known = tsl_history_knows(h, s, slot) - (slot == h->steps.data[s].slot);
        if (known && h->by_slot.data[slot].data[known - 1] > first &&
            !is_gone(v, h->by_slot.data[slot].data[known - 1]))
            return false;
    }
    return true;
}

static bool conflicts_behind(const unwritten *v, const tsl_op *op) {
    return tsl_history_conflict_behind(v->h, op, v->r->race.first, v->r->second, v->gone);
}

// Is e', were it run now, the first of what is left?
static bool last_is_initial(const unwritten *v) {
    uint32_t waker = v->r->woken_by;
    bool woken = waker != TSL_NONE && waker > v->r->race.first && !is_gone(v, waker);
    return !woken && !conflicts_behind(v, &v->r->op);
}

// As covers(); `at`: the step of the history, TSL_NONE: it is e', or none.
static enum answer covers_unwritten(const unwritten *v, const tsl_op *op, uint32_t *at,
                                    bool *is_last) {
    *at = next_left(v, op->thread);
    *is_last = false;
    if (op->kind == TSL_EV_BARRIER_ARRIVE)
        return UNKNOWN;
    if (*at != TSL_NONE) {
        if (v->h->steps.data[*at].nchoices > 1)
            return UNKNOWN;
        return step_is_initial(v, *at) ? YES : NO;
    }
    if (op->thread == v->r->op.thread && !v->last_is_gone) {
        *is_last = true;
        return last_is_initial(v) ? YES : NO;
    }
    if ((!v->last_is_gone && tsl_op_conflict(op, &v->r->op)) || conflicts_behind(v, op))
        return NO;
    return YES;
}

static bool is_usual(const tsl_history *h, const tsl_found_race *r) {
    return r->race.without == TSL_NONE && r->sure && r->op.kind != TSL_EV_BARRIER_ARRIVE &&
           h->steps.data[r->race.first].kind != TSL_EV_BARRIER_ARRIVE;
}

static bool is_usual_branch(const tsl_branch *b) {
    return b->sure && !b->risky && b->choice == TSL_ANY_CHOICE;
}

// Nothing covers it: now it is written down.
static void write_down(tsl_tree *tree, const unwritten *u, tsl_node *node, uint32_t *used) {
    tsl_race_rest_of_all(u->h, &u->r->race, u->r->second, &tree->rest);
    sequence v = {.n = tree->rest.len + 1,
                  .h = u->h,
                  .first = u->r->race.first,
                  .used = *used,
                  .rest = &tree->rest,
                  .last = &u->r->op,
                  .last_is_sure = true,
                  .second = u->r->as_was ? u->r->second : TSL_NONE,
                  .woken_by = u->r->woken_by,
                  .without = TSL_NONE};
    bool few[128] = {0};
    v.gone = v.n <= 128 ? few : tsl_alloc(v.n);
    for (size_t i = 0; i + 1 < v.n; i++)
        v.gone[i] = is_gone(u, tree->rest.data[i]);
    v.gone[v.n - 1] = u->last_is_gone;
    shorten(tree, &v);
    use_all(&v);
    add_branch(tree, node, &v, false, NULL, 0);
    *used = v.used;
    if (v.gone != few)
        tsl_free(v.gone);
}

// False: it is not the usual case.
static bool reverse_usual(tsl_tree *tree, tsl_cursor *c, tsl_found_race *r) {
    size_t depth = r->race.first, n;
    const tsl_history *h = &c->history;
    tsl_vec_reserve(&tree->gone, h->slots.len);
    unwritten v = {.h = h, .r = r, .gone = tree->gone.data};
    uint32_t used = r->at, at;
    bool strange = false, is_last;
    memset(v.gone, 0, h->slots.len * sizeof *v.gone);
    tsl_vec_clear(&tree->awaken);
    r->settled = TSL_NONE;
    const tsl_op *sleep = tsl_cursor_sleep(c, depth, &n);
    for (size_t i = 0; i < n; i++) {
        enum answer a = covers_unwritten(&v, &sleep[i], &at, &is_last);
        if (a == UNKNOWN)
            return false;
        if (a == YES) {
            if (at != TSL_NONE || is_last)
                r->settled = at != TSL_NONE && at > used ? at : used;
            return true;
        }
        tsl_vec_push(&tree->awaken, &sleep[i]);
    }
    tsl_node *node = c->stops.data[depth].node;
    const tsl_branch *own = c->stops.data[depth].taken;
    tsl_branch *b = node ? node->first : NULL;
    while (b) {
        if (b == own) {
            b = b->next;
            continue;
        }
        if (!is_usual_branch(b))
            return false;
        enum answer a = covers_unwritten(&v, &b->op, &at, &is_last);
        if (a == UNKNOWN)
            return false;
        if (a == NO) {
            tsl_vec_push(&tree->awaken, &b->op);
            b = b->next;
            continue;
        }
        strange |= at == TSL_NONE && !is_last;
        used = at != TSL_NONE && at > used ? at : used;
        if (b->is_leaf) {
            r->settled = strange ? TSL_NONE : used;
            return true;
        }
        if (at != TSL_NONE)
            v.gone[h->steps.data[at].slot] = h->steps.data[at].index;
        v.last_is_gone |= is_last;
        node = &b->inner;
        b = node->first;
    }
    write_down(tree, &v, node ? node : tsl_tree_node(tree, c, depth), &used);
    r->settled = strange ? TSL_NONE : used;
    return true;
}

// ---------------------------------------------------------------- the rule

static bool by_value(const tsl_op *op) {
    bool any = false;
    for (unsigned i = 0; i < op->naccesses; i++)
        any |= tsl_op_by_value(op->access[i].kind);
    return any;
}

static void notice(tsl_tree *tree, tsl_cursor *c, bool pending) {
    const tsl_history *h = &c->history;
    uint32_t second = (uint32_t)h->steps.len - 1;
    tsl_race_find(h, &tree->races);
    if (!tree->races.len)
        return;
    tsl_tree_report_races(tree, c);
    tsl_op op = tsl_history_op(h, second);
    bool varies = false;
    for (unsigned i = 0; i < op.naccesses; i++)
        varies |=
            tsl_op_varies(op.access[i].kind) && !(h->coarse && tsl_op_by_value(op.access[i].kind));
    for (size_t i = 0; i < tree->races.len; i++) {
        const tsl_race *race = &tree->races.data[i];
        tsl_found_race r = {.race = *race,
                            .at = second,
                            .settled = TSL_NONE,
                            .second = pending ? TSL_NONE : second,
                            .woken_by = h->steps.data[second].woken_by};
        if (race->without == TSL_NONE && !varies) { // the usual case
            r.sure = true;
            r.as_was = !pending;
            r.op = op;
        } else if (tsl_race_rest(h, race, &tree->rest))
            r.sure = tsl_race_second(h, race, &tree->rest, &r.op);
        else
            continue;
        if (!r.sure && !h->coarse && by_value(&r.op))
            tsl_tree_start_over(tree);
        tsl_order_race(&tree->order, h->steps.data[race->first].thread, op.thread);
        tsl_vec_push(&c->reversals, r);
    }
}

static void instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    (void)tree;
    tsl_vec_push(&c->reversals, (tsl_found_race){.race = {.first = s, .without = TSL_NONE},
                                                 .at = s,
                                                 .settled = TSL_NONE,
                                                 .second = TSL_NONE,
                                                 .woken_by = TSL_NONE,
                                                 .sure = true,
                                                 .op = *op});
}

// Not before the end: v is all that does not happen after e in the whole run, or a trace
// that differs from an explored one only in what comes later would be lost.
static void reverse_all(tsl_tree *tree, tsl_cursor *c) {
    const tsl_history *h = &c->history;
    for (size_t i = 0; i < c->reversals.len; i++) {
        tsl_found_race *r = &c->reversals.data[i];
        if (TSL_BROKEN(OLD_RACES) && r->at < c->known)
            continue;
        if (TSL_BROKEN(BACKTRACK) && h->steps.data[r->race.first].index == 2)
            continue;
        if (r->settled != TSL_NONE && (r->settled < c->kept || TSL_BROKEN(SETTLED)))
            continue;
        if (is_usual(h, r) && reverse_usual(tree, c, r))
            continue;
        bool arrival = h->steps.data[r->race.first].kind == TSL_EV_BARRIER_ARRIVE;
        tsl_race_rest_of_all(h, &r->race, r->second, &tree->rest);
        sequence v = {.n = tree->rest.len + 1,
                      .h = h,
                      .first = r->race.first,
                      .used = r->at,
                      .rest = &tree->rest,
                      .last = &r->op,
                      .last_is_sure = r->sure,
                      .second = TSL_NONE,
                      .woken_by = r->woken_by,
                      .without = arrival ? r->race.first : TSL_NONE};
        insert(tree, c, r->race.first, &v);
        r->settled = v.strange ? TSL_NONE : v.used;
    }
    while (c->reversals.len && tsl_vec_last(&c->reversals).at >= h->steps.len)
        c->reversals.len--;
}

static const tsl_tree_rule rule = {.step = notice,
                                   .races_only = true,
                                   .instead = instead,
                                   .finish = reverse_all,
                                   .settle = settle,
                                   .wakes_all = true,
                                   .cursors = TSL_TREE_CURSORS};

static tsl_strategy *optimal_new(const tsl_search *search) {
    return tsl_tree_new(&tsl_strategy_optimal, &rule, search);
}

const tsl_strategy_kind tsl_strategy_optimal = {
    .name = "optimal",
    .help = "one run per Mazurkiewicz trace, none wasted",
    .analyses = true,
    .new = optimal_new,
    .next = tsl_tree_next,
    .learn = tsl_tree_learn,
    .free = tsl_tree_free,
};
