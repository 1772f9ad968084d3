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

#include "abi/sabotage.h"
#include "base/deadline.h"
#include "base/mem.h"
#include "explore/sequence.h"

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
    const tsl_positions *steps = &h->by_slot.data[slot - 1];
    uint32_t gone = v->gone[slot - 1], n = (uint32_t)steps->len;
    if (!n || steps->data[n - 1] <= first || gone >= n)
        return TSL_NONE;
    if (gone)
        s = steps->data[gone];
    else if (n == 1 || steps->data[n - 2] <= first) // mostly it is one of the last
        s = steps->data[n - 1];
    else
        s = tsl_positions_behind(steps, first);
    return s == v->r->second || tsl_history_before(h, first, s) ? TSL_NONE : s;
}

// Does nothing that is left happen before step s?
static bool step_is_initial(const unwritten *v, uint32_t s) {
    const tsl_history *h = v->h;
    uint32_t first = v->r->race.first, latest = h->steps.data[s].latest;
    if (latest == TSL_NONE || latest <= first)
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
    if (v->r->as_was) { // the last step it depends on is a direct dependence, and mostly decides
        uint32_t first = v->r->race.first, latest = v->h->steps.data[v->r->second].latest;
        if (!tsl_history_before(v->h, first, latest) && !is_gone(v, latest))
            return false;
        if (step_is_initial(v, v->r->second))
            return true;
    }
    bool woken = waker != TSL_NONE && waker > v->r->race.first && !is_gone(v, waker);
    return !woken && !conflicts_behind(v, &v->r->op);
}

// As covers(); `at`: the step of the history, TSL_NONE: it is e', or none.
static inline __attribute__((always_inline)) enum tsl_answer
covers_unwritten(const unwritten *v, const tsl_op *op, uint32_t *at, bool *is_last) {
    *at = next_left(v, op->thread);
    *is_last = false;
    if (op->kind == TSL_EV_BARRIER_ARRIVE)
        return TSL_ANSWER_UNKNOWN;
    if (*at != TSL_NONE) {
        if (v->h->steps.data[*at].nchoices > 1)
            return TSL_ANSWER_UNKNOWN;
        return step_is_initial(v, *at) ? TSL_ANSWER_YES : TSL_ANSWER_NO;
    }
    if (op->thread == v->r->op.thread && !v->last_is_gone) {
        *is_last = true;
        return last_is_initial(v) ? TSL_ANSWER_YES : TSL_ANSWER_NO;
    }
    if ((!v->last_is_gone && tsl_op_conflict(op, &v->r->op)) || conflicts_behind(v, op))
        return TSL_ANSWER_NO;
    return TSL_ANSWER_YES;
}

// A step at which the run failed is not part of v: nothing could follow it.
static bool leaves_out_failing(const tsl_history *h, const tsl_found_race *r) {
    return h->failing > r->race.first && h->failing != r->second;
}

static bool is_usual(const tsl_history *h, const tsl_found_race *r) {
    return r->race.without == TSL_NONE && r->sure && r->op.kind != TSL_EV_BARRIER_ARRIVE &&
           !leaves_out_failing(h, r) && h->steps.data[r->race.first].kind != TSL_EV_BARRIER_ARRIVE;
}

static bool is_usual_branch(const tsl_branch *b) {
    return b->sure && !b->risky && b->choice == TSL_ANY_CHOICE;
}

// Nothing covers it: now it is written down.
static void write_down(tsl_tree *tree, const tsl_cursor *c, const unwritten *u, tsl_node *node,
                       uint32_t *used) {
    tsl_race_rest_of_all(u->h, &u->r->race, u->r->second, &tree->rest);
    tsl_sequence v = {.n = tree->rest.len + 1,
                      .h = u->h,
                      .cursor = c,
                      .first = u->r->race.first,
                      .used = *used,
                      .rest = &tree->rest,
                      .last = &u->r->op,
                      .last_is_sure = true,
                      .inputs = c->inputs,
                      .second = u->r->as_was ? u->r->second : TSL_NONE,
                      .woken_by = u->r->woken_by,
                      .without = TSL_NONE};
    bool few[128] = {0};
    v.gone = v.n <= 128 ? few : tsl_alloc(v.n);
    for (size_t i = 0; i + 1 < v.n; i++)
        v.gone[i] = is_gone(u, tree->rest.data[i]);
    v.gone[v.n - 1] = u->last_is_gone;
    tsl_sequence_shorten(tree, &v);
    tsl_sequence_use_all(&v);
    tsl_sequence_add(tree, node, &v, false);
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
        enum tsl_answer a = covers_unwritten(&v, &sleep[i], &at, &is_last);
        if (a == TSL_ANSWER_UNKNOWN)
            return false;
        if (a == TSL_ANSWER_YES) {
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
        enum tsl_answer a = covers_unwritten(&v, &b->op, &at, &is_last);
        if (a == TSL_ANSWER_UNKNOWN)
            return false;
        if (a == TSL_ANSWER_NO) {
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
    write_down(tree, c, &v, node ? node : tsl_tree_node(tree, c, depth), &used);
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
        bool usual = race->without == TSL_NONE && !varies;
        if (!usual && !tsl_race_rest(h, race, &tree->rest))
            continue;
        tsl_vec_reserve(&c->reversals, c->reversals.len + 1);
        tsl_found_race *r = &c->reversals.data[c->reversals.len++];
        r->race = *race;
        r->at = second;
        r->second = pending ? TSL_NONE : second;
        r->woken_by = h->steps.data[second].woken_by;
        r->settled = TSL_NONE;
        r->sure = usual || tsl_race_second(h, race, &tree->rest, &r->op);
        r->as_was = usual && !pending;
        if (usual)
            r->op = op;
        if (!r->sure && !h->coarse && by_value(&r->op))
            tsl_tree_start_over(tree);
        tsl_order_race(&tree->order, h->steps.data[race->first].thread, op.thread);
    }
}

static void instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    (void)tree;
    tsl_vec_push(&c->reversals, (tsl_found_race){.race = {.first = s, .without = TSL_NONE},
                                                 .at = (uint32_t)c->history.steps.len - 1,
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
        tsl_deadline_ask();
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
        tsl_sequence v = {.n = tree->rest.len + 1,
                          .h = h,
                          .cursor = c,
                          .first = r->race.first,
                          .used = r->at,
                          .rest = &tree->rest,
                          .last = &r->op,
                          .last_is_sure = r->sure,
                          .inputs = c->inputs,
                          .second = TSL_NONE,
                          .woken_by = r->woken_by,
                          .without = arrival ? r->race.first : TSL_NONE};
        tsl_sequence_insert(tree, c, r->race.first, &v);
        r->settled = v.strange ? TSL_NONE : v.used;
    }
    while (c->reversals.len && tsl_vec_last(&c->reversals).at >= h->steps.len)
        c->reversals.len--;
}

static const tsl_tree_rule rule = {.step = notice,
                                   .races_only = true,
                                   .instead = instead,
                                   .finish = reverse_all,
                                   .settle = tsl_sequence_settle,
                                   .wakes_all = true,
                                   .several = true};

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
