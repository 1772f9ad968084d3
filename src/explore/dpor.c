// Dynamic partial order reduction with persistent sets: the classic, in three steps.
//
// Flanagan, Godefroid: Dynamic partial-order reduction for model checking software
// (POPL 2005), as in Saarikivi, Kähkönen, Heljanko: Improving dynamic partial order
// reductions for concolic testing (ACSD 2012):
//
//     dpor            Fig. 2: any two accesses of one place depend on each other
//     dpor-cr         Fig. 3: reads commute
//     dpor-cr-sleep   Fig. 7: and sleep sets
//
// At every state, for the next step v of every thread p, take
//
//     the last step E_i that depends on v, may be co-enabled with v, and that p does
//     not know of (i is not in the clock of p's last step)
//
// and add p to the state before E_i if it was enabled there, else every enabled thread.
//
// Seen from v, executed as step k or pending at the end, p's step before it being j: the
// states between are those behind j, ..., k - 1.  Each step between j and k that depends
// on v is the last one at the state right behind it, so all of them are taken; of those
// before j, the last one p does not know of.  So v can be looked at once, when it runs.
//
// How the figures are read:
//
//   - The figures ask whether v was enabled before E_i, not p; the text says that it was not if
//     p stood before another step.  The counts in the paper's Fig. 8 fit p, which is what
//     Flanagan and Godefroid ask; with v, File System (16) takes more than 10000 runs, not 27.
//   - May be co-enabled is a matter of kinds: a lock and what releases it are not, nor are once
//     and its end, a join and the end of the thread.  Nothing is inferred from the state of
//     an object: a post or a read lock is a partner even where the wait or the write lock
//     would have been blocked, and then every enabled thread is added.
//   - May write is a matter of kinds, too: a compare-and-swap or a trylock that failed might
//     have succeeded earlier.  A step that depends on v by its kind only does not hide an
//     earlier one that depends on it by its result: both are taken.
//   - Any two arrivals at a barrier depend on each other.
//   - Creating and starting a thread are steps here and none there: from its creation on, a
//     thread stands before the step behind its start; before that, its creator stands for it.
//   - A thread that waits has no next step until it is woken; then p knows what its waker
//     knew.  Before that it does not stand for v, even if it could have given up.  A timed
//     wait's next step is to give up, until the waker takes that away: a race with the waker.
//
// As printed, Figs. 3 and 7 together lose traces.  With
//
//     t0: write x      t1: s: anything, read x      t2: read x
//
// t0 is explored first and sleeps behind s.  In the run s, t1's read, t2's read, the
// write, the write is the only step that depends on t1's read, and its thread sleeps in the state
// before that, so nothing is explored there but t1's read: t2's read, the write, t1's read is lost.
// What a sleeping thread stands for are runs in which its step can come first, and in this
// one t2's read must come before it.  So if something that v depends on, and that does not
// depend on E_i, lies between E_i and v, every enabled thread is added.
// (tests/vm/corpus/write-between-reads.vm)
#include "explore/tree.h"

// ---------------------------------------------------------------- dependence

static bool is_lock(unsigned kind) { return kind == TSL_EV_LOCK || kind == TSL_EV_SPINLOCK; }

// Are the two never enabled in the same state?
static bool never_co_enabled(const tsl_access *e, const tsl_access *v) {
    if (e->addr != v->addr || e->role == TSL_ROLE_READ)
        return false;
    if (is_lock(v->kind))
        return e->kind == TSL_EV_UNLOCK;
    if (v->kind == TSL_EV_ONCE)
        return e->kind == TSL_EV_ONCE_DONE;
    return v->kind == TSL_EV_JOIN && e->kind == TSL_EV_END;
}

static bool arrivals(const tsl_access *a, const tsl_access *b) {
    return a->kind == TSL_EV_BARRIER_ARRIVE && b->kind == TSL_EV_BARRIER_ARRIVE &&
           a->addr == b->addr;
}

static bool depends(const tsl_op *e, const tsl_op *v) {
    if (e->unknown || v->unknown)
        return true;
    for (unsigned i = 0; i < e->naccesses; i++)
        for (unsigned k = 0; k < v->naccesses; k++) {
            const tsl_access *a = &e->access[i], *b = &v->access[k];
            if (arrivals(a, b) || (tsl_access_conflict(a, b) && !never_co_enabled(a, b)))
                return true;
        }
    return false;
}

// A quick answer: do the two touch a common place at all?  Most steps do not.
static bool is_near(const tsl_history *h, const tsl_op *v, uint32_t i) {
    const tsl_step *step = &h->steps.data[i];
    if (step->unknown || v->unknown)
        return true;
    uint32_t end = tsl_step_accesses_end(h, i);
    for (uint32_t a = step->accesses; a < end; a++)
        for (unsigned k = 0; k < v->naccesses; k++)
            if (tsl_overlap(&h->accesses.data[a], &v->access[k]))
                return true;
    return false;
}

// ---------------------------------------------------------------- backtracking points

// The next step `v` of a thread whose last step is `before`, seen from all states up to the one
// behind `until` steps.
typedef struct next {
    const tsl_op *v;
    uint32_t before, woken_by; // or TSL_NONE
    uint32_t until;
} next;

static bool knows(const tsl_history *h, const next *n, uint32_t i) {
    return (n->before != TSL_NONE && tsl_history_before(h, i, n->before)) ||
           (n->woken_by != TSL_NONE && (i == n->woken_by || tsl_history_before(h, i, n->woken_by)));
}

// The step that created the thread whose first step is `start`; always before `start`.
static uint32_t creation(const tsl_history *h, uint32_t start) {
    uint64_t self = h->steps.data[start].key;
    for (start -= start > 0; start > 0; start--)
        if (h->steps.data[start].kind == TSL_EV_CREATE && h->steps.data[start].key == self)
            break;
    return start;
}

// The first step behind E_i on the way to v: of the thread of v, or of its creator.
typedef struct way {
    unsigned thread;
    uint32_t first; // n->until: v itself
    bool waits;     // another thread had to wake this one first
} way;

static way way_to(const tsl_history *h, const next *n, uint32_t i) {
    way w = {.thread = n->v->thread, .first = n->until};
    uint32_t before = n->before, woken_by = n->woken_by;
    for (;;) {
        const tsl_step *step;
        if (before != TSL_NONE && before > i)
            w.first = before;
        else if (before == TSL_NONE && w.first < n->until && creation(h, w.first) > i)
            w.first = creation(h, w.first);
        else
            break;
        step = &h->steps.data[w.first];
        w.thread = step->thread;
        before = step->before;
        woken_by = step->woken_by;
    }
    w.waits = woken_by != TSL_NONE && woken_by > i;
    return w;
}

// Of the steps that could run behind E_i without E_i, does one happen before the first step of the
// way?  That step's thread sleeps before E_i because the step was run first elsewhere, and there are
// no runs in which the other one comes first.
static bool is_preceded(const tsl_history *h, const next *n, const way *w, const tsl_op *most,
                        uint32_t i) {
    for (uint32_t r = i + 1; r < w->first; r++) {
        if (tsl_history_before(h, i, r))
            continue;
        if (w->first < n->until ? tsl_history_before(h, r, w->first)
                                : tsl_history_conflict(h, most, r))
            return true;
    }
    return false;
}

static void backtrack(tsl_tree *tree, tsl_cursor *c, const next *n, const tsl_op *most,
                      uint32_t i) {
    const tsl_history *h = tsl_cursor_history(c);
    way w = way_to(h, n, i);
    if (tsl_cursor_is_full(c, i) || (!w.waits && tsl_cursor_has_edge(c, i, w.thread)))
        return;
    bool asleep = tsl_tree_sleeper(tree, c, i, w.thread);
    if (!w.waits && asleep && !is_preceded(h, n, &w, most, i))
        return;
    if (!w.waits && !asleep && tsl_enabled_has(tsl_tree_enabled(tree, c, i), w.thread)) {
        tsl_op op = {.thread = (uint16_t)w.thread}; // what the thread does is known once it has run
        tsl_tree_try(tree, c, i, &op);
        return;
    }
    tsl_tree_set_full(tree, c, i);
    tsl_tree_try_enabled(tree, c, i, true);
}

// The step since which the thread stands before v.
static uint32_t stands_since(const tsl_history *h, const next *n) {
    uint32_t s = n->woken_by != TSL_NONE ? n->woken_by : n->before;
    bool is_new = s != TSL_NONE && h->steps.data[s].kind == TSL_EV_START;
    return is_new ? creation(h, s) : s;
}

static void look_at(tsl_tree *tree, tsl_cursor *c, const next *n) {
    const tsl_history *h = tsl_cursor_history(c);
    tsl_op most = tsl_op_at_most(n->v);
    uint32_t since = stands_since(h, n);
    bool by_kind = false;
    uint32_t exit = tsl_history_exit(h);
    for (uint32_t i = n->until; i-- > 0;) {
        if (h->steps.data[i].thread == n->v->thread || i > exit || !is_near(h, n->v, i))
            continue;
        tsl_op e = tsl_history_op(h, i), e_most = tsl_op_at_most(&e);
        if (!depends(&e_most, &most) || knows(h, n, i))
            continue;
        bool stands = since != TSL_NONE && i > since, by_result = depends(&e, n->v);
        if (stands || !by_kind || by_result)
            backtrack(tree, c, n, &most, i);
        by_kind = true;
        if (!stands && by_result)
            return;
    }
}

// ---------------------------------------------------------------- the rule

static bool has_no_partner(const tsl_step *step) {
    return step->kind == TSL_EV_START || (step->kind == TSL_EV_EXIT && !step->unknown);
}

static void step(tsl_tree *tree, tsl_cursor *c, bool pending) {
    (void)pending;
    const tsl_history *h = tsl_cursor_history(c);
    uint32_t s = (uint32_t)h->steps.len - 1;
    tsl_tree_find_races(tree, c);
    if (has_no_partner(&h->steps.data[s]))
        return;
    tsl_op op = tsl_history_op(h, s);
    next n = {&op, h->steps.data[s].before, h->steps.data[s].woken_by, s};
    look_at(tree, c, &n);
}

static void instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    const tsl_history *h = tsl_cursor_history(c);
    if (op->kind == TSL_EV_EXIT) { // the runtime does not call its thread enabled
        tsl_tree_try(tree, c, s, &(tsl_op){.thread = op->thread});
        return;
    }
    uint32_t before = s;
    while (before > 0 && h->steps.data[before].thread != op->thread)
        before--;
    next n = {op, before, TSL_NONE, s + 1};
    look_at(tree, c, &n);
}

static const tsl_tree_rule plain_rule = {.step = step, .instead = instead, .reads_conflict = true};
static const tsl_tree_rule cr_rule = {.step = step, .instead = instead};
static const tsl_tree_rule sleep_rule = {.step = step, .instead = instead, .sleeps = true};

TSL_TREE_STRATEGY(dpor, &plain_rule, "dpor",
                  "persistent sets; any two accesses of one place depend on each other");
TSL_TREE_STRATEGY(dpor_cr, &cr_rule, "dpor-cr", "persistent sets; reads commute");
TSL_TREE_STRATEGY(dpor_cr_sleep, &sleep_rule, "dpor-cr-sleep",
                  "persistent sets with sleep sets; reads commute");
