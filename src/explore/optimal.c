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
// Where we differ: leaves may be explored in any order.  Behind a leaf nothing sleeps, so it
// is complete by itself; what sleeps on the way there is fixed by the order in which
// branches were added.  That lets several runs be under way.
//
// Results.  Whether e' conflicts with others may depend on what it returns once it runs
// earlier (a compare-and-swap).  Locks and their like are predicted from the state of the
// object.  If a branch that has not run yet makes the difference, the sequence
// waits until it has (a doubt); if only e' itself does, it is run, and thrown away should
// it turn out that something sleeps behind it: the one case of a run for nothing.
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
    // of a history
    const tsl_history *h;
    uint32_t first;            // the step it is to come before
    const tsl_step_list *rest; // all but the last
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
    size_t n = 0;
    tsl_op *ops = tsl_alloc(v->n * (sizeof *ops + sizeof(tsl_hop)));
    tsl_hop *hops = (tsl_hop *)&ops[v->n];
    if (beside) {
        ops[n] = op_of(v, first);
        hops[n++] = hop_of(v, first);
    }
    for (size_t i = 0; i < v->n; i++)
        if (!v->gone[i] && !(beside && i == first)) {
            ops[n] = op_of(v, i);
            hops[n++] = hop_of(v, i);
        }
    tsl_branch *leaf = tsl_tree_add_all(tree, node, beside, hops, ops, n);
    leaf->sure = v->last_is_sure;
    leaf->risky = risky;
    tsl_free(ops);
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

// Walks down the wakeup tree.  `own`: the branch of the node the race is about.
static void walk(tsl_tree *tree, tsl_node *node, const tsl_branch *own, sequence *v, bool risky) {
    bool doubtful = false;
    tsl_branch *beside = NULL;
    size_t first = 0;
    for (tsl_branch *b = node->first; b;) {
        size_t at = 0;
        enum answer a = b == own ? NO : covers(v, &b->op, b->sure, b->choice, &at);
        if (a == YES && b->is_leaf) {
            if (!b->risky)
                return;
            doubtful = true; // it might not be there to cover it
        }
        if (a == YES && !b->is_leaf) {
            if (at < v->n)
                v->gone[at] = true;
            while (v->from < v->n && v->gone[v->from])
                v->from++;
            if (at + 1 == v->n)
                return; // all of it is covered
            node = &b->inner;
            b = node->first;
            beside = NULL;
            continue;
        }
        if (a == OTHER_CHOICE) {
            beside = b;
            first = at;
        }
        risky |= a == UNKNOWN && b->sure;
        doubtful |= a == UNKNOWN && !b->sure;
        b = b->next;
    }
    if (doubtful)
        add_doubt(node, v, risky);
    else
        add_branch(tree, node, v, risky, beside, first);
}

// A quick look, before the sequence is even written down: is something that sleeps or was
// explored at the node surely a weak initial?  UNKNOWN: see for yourself.
static enum answer covers_quickly(const tsl_history *h, const tsl_found_race *r, const tsl_op *op) {
    uint32_t first = r->race.first, step = tsl_history_next_of(h, op->thread, first);
    if (r->race.without != TSL_NONE || !r->sure || op->kind == TSL_EV_BARRIER_ARRIVE ||
        op->thread == r->op.thread)
        return UNKNOWN;
    if (step != TSL_NONE && !tsl_history_before(h, first, step)) {
        uint32_t latest = h->steps.data[step].latest;
        if (h->steps.data[step].nchoices > 1)
            return UNKNOWN;
        return latest == TSL_NONE || latest < first ? YES : NO;
    }
    if (tsl_op_conflict(op, &r->op) || tsl_history_conflict_behind(h, op, first, r->second))
        return NO;
    return YES;
}

// Some do not, none is unknown: `all_no`.
static bool is_covered_quickly(const tsl_cursor *c, const tsl_found_race *r, bool *all_no) {
    size_t n;
    const tsl_op *sleep = tsl_cursor_sleep(c, r->race.first, &n);
    *all_no = true;
    for (size_t i = 0; i < n; i++) {
        enum answer a = covers_quickly(&c->history, r, &sleep[i]);
        if (a == YES)
            return true;
        *all_no &= a == NO;
    }
    return false;
}

static void insert(tsl_tree *tree, tsl_cursor *c, size_t depth, sequence *v, bool skip_sleep) {
    size_t n, at;
    bool risky = false, few[128] = {0};
    v->gone = v->n <= 128 ? few : tsl_alloc(v->n);
    const tsl_op *sleep = tsl_cursor_sleep(c, depth, &n);
    bool covered = false;
    for (size_t i = 0; i < n && !covered && !skip_sleep; i++) {
        enum answer a = covers(v, &sleep[i], true, TSL_ANY_CHOICE, &at);
        covered = a == YES;
        risky |= a == UNKNOWN;
    }
    const tsl_node *there = c->nodes.data[depth];
    for (const tsl_branch *b = there ? there->first : NULL; b && !covered; b = b->next)
        if (b != c->taken.data[depth] && b->state == TSL_BRANCH_DONE && b->is_leaf)
            covered = covers(v, &b->op, true, TSL_ANY_CHOICE, &at) == YES;
    if (!covered) {
        tsl_node *node = tsl_tree_node(tree, c, depth);
        walk(tree, node, c->taken.data[depth], v, risky);
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
                      .woken_by = TSL_NONE,
                      .without = TSL_NONE,
                      .doubt = d};
        walk(tree, node, NULL, &v, d->risky);
        tsl_free(gone);
        tsl_free(d);
    }
}

// ---------------------------------------------------------------- the rule

static void notice(tsl_tree *tree, tsl_cursor *c, bool pending) {
    const tsl_history *h = &c->history;
    uint32_t second = (uint32_t)h->steps.len - 1;
    tsl_race_find(h, &tree->races);
    tsl_tree_report_races(tree, c);
    for (size_t i = 0; i < tree->races.len; i++) {
        const tsl_race *race = &tree->races.data[i];
        tsl_found_race r = {.race = *race,
                            .at = second,
                            .second = pending ? TSL_NONE : second,
                            .woken_by = h->steps.data[second].woken_by};
        if (!tsl_race_rest(h, race, &tree->rest))
            continue;
        r.sure = tsl_race_second(h, race, &tree->rest, &r.op);
        tsl_vec_push(&c->reversals, r);
    }
}

static void instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    (void)tree;
    tsl_vec_push(&c->reversals, (tsl_found_race){.race = {.first = s, .without = TSL_NONE},
                                                 .at = s,
                                                 .second = TSL_NONE,
                                                 .woken_by = TSL_NONE,
                                                 .sure = true,
                                                 .op = *op});
}

// The same sequences come up again in run after run.  A table of those seen lately, a
// few to a line; forgetting one costs a walk down the tree, no more.
enum { MEMO = 1 << 15 };

static bool seen_before(tsl_tree *tree, const tsl_history *h, const tsl_found_race *r) {
    if (r->second == TSL_NONE || r->race.without != TSL_NONE)
        return false;
    if (!tree->memo)
        tree->memo = tsl_alloc(MEMO * sizeof *tree->memo);
    uint64_t key = tsl_race_rest_hash(h, &r->race, r->second);
    uint64_t *at = &tree->memo[(key >> 20) % MEMO];
    if (*at == key)
        return true;
    *at = key;
    return false;
}

// Not before the end: v is all that does not happen after e in the whole run, or a trace
// that differs from an explored one only in what comes later would be lost.
static void reverse_all(tsl_tree *tree, tsl_cursor *c) {
    const tsl_history *h = &c->history;
    for (size_t i = 0; i < c->reversals.len; i++) {
        const tsl_found_race *r = &c->reversals.data[i];
        if (TSL_BROKEN(OLD_RACES) && r->at < c->known)
            continue;
        if (TSL_BROKEN(BACKTRACK) && h->steps.data[r->race.first].index == 2)
            continue;
        bool all_no;
        if (is_covered_quickly(c, r, &all_no) || seen_before(tree, h, r))
            continue;
        bool arrival = h->steps.data[r->race.first].kind == TSL_EV_BARRIER_ARRIVE;
        tsl_race_rest_of_all(h, &r->race, r->second, &tree->rest);
        sequence v = {.n = tree->rest.len + 1,
                      .h = h,
                      .first = r->race.first,
                      .rest = &tree->rest,
                      .last = &r->op,
                      .last_is_sure = r->sure,
                      .woken_by = r->woken_by,
                      .without = arrival ? r->race.first : TSL_NONE};
        insert(tree, c, r->race.first, &v, all_no);
    }
    while (c->reversals.len && tsl_vec_last(&c->reversals).at >= h->steps.len)
        c->reversals.len--;
}

static const tsl_tree_rule rule = {.step = notice,
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
