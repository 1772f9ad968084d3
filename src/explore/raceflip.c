// Race detection and flipping.
//
// Sen: Scalable automated methods for dynamic program analysis (thesis, 2006), chapter 5:
//
//     raceflip-simple   5.2: at every choice point every enabled thread is tried
//     raceflip          5.3: only where the step taken races with a later one
//     raceflip-opt      5.4: and what was postponed is delayed until something races with it
//
// Postponed at a state are the threads whose steps were tried there before; here, the
// branches to the left.  When a later step races with the one taken (immediately: nothing
// lies between the two), the state is flagged, and once everything behind the step is
// explored the next thread that is enabled and not postponed is tried.  If no step races
// with the last one tried, it can come first in every run that is left: enough.
//
// Where we differ:
//
//   - As printed (Figs. 5.5, 5.6) the flags are forgotten when a run begins: only races of the
//     last run count when the search comes back to a state.  That loses traces.  With
//
//         t1: a1: write x, a2: write x        t2: s: anything, b: write x
//
//     the run a1 s b a2 flags a1.  The next one, a1 s a2 b, is the last behind a1, and there a1
//     races with nothing, a2 being between: s b a1 a2 is never run.  So a flag stays, as in
//     Fig. 5.1.
//   - As printed (Fig. 5.5) a race is not flagged if the thread t of its second step is
//     postponed: the two were tried the other way round.  That loses traces.  With
//
//         t1: write x     t2: read x     t3: read x
//
//     t1 is tried first, then t2; its read races with the write only, t1 is postponed, so t3 is
//     never tried, and the run t3 t1 t2 is lost.  So a race is not flagged if t is
//     postponed and its step an initial (reversal.h): nothing that it depends on lies
//     between, and it was run first when t was tried.  The same holds where t is delayed.
//   - Threads that are blocked when the run ends race as if they ran; a timed wait that is
//     woken races with its waker.
//   - The next step is the running thread's if it can run, in all three (Fig. 5.5); 5.2 and
//     5.4 say the lowest.  The proof does not depend on that.
//
// tests/vm/corpus has a program for each of the two losses.
#include "explore/reversal.h"
#include "explore/tree.h"

// ---------------------------------------------------------------- threads at a state

static bool sleeps_at(const tsl_tree *tree, const tsl_cursor *c, size_t depth, unsigned thread) {
    size_t n;
    const tsl_op *sleep = tsl_cursor_sleep(c, depth, &n);
    for (size_t i = 0; tree->rule->sleeps && i < n; i++)
        if (sleep[i].thread == thread)
            return true;
    return false;
}

static bool is_postponed(const tsl_cursor *c, size_t depth, unsigned thread) {
    for (const tsl_branch *b = tsl_tree_branches(c, depth); b && b != c->stops.data[depth].taken;
         b = b->next)
        if (b->op.thread == thread)
            return true;
    return false;
}

static bool was_tried(const tsl_cursor *c, size_t depth, unsigned thread) {
    for (const tsl_branch *b = tsl_tree_branches(c, depth); b; b = b->next)
        if (b->op.thread == thread)
            return true;
    return c->history.steps.data[depth].thread == thread;
}

// The next thread is waiting already.
static bool is_flagged(const tsl_cursor *c, size_t depth) {
    const tsl_branch *own = c->stops.data[depth].taken;
    for (const tsl_branch *b = own ? own->next : NULL; b; b = b->next)
        if (b->op.thread != own->op.thread)
            return true;
    return false;
}

// Adds the next thread, the lowest; or all of them.
static void flag(tsl_tree *tree, tsl_cursor *c, size_t depth, bool all) {
    tsl_tree_enabled(tree, c, depth, &tree->rest);
    for (size_t i = 0; i < tree->rest.len; i++) {
        tsl_op op = {.thread = (uint16_t)tree->rest.data[i]}; // the rest is known once it ran
        if (was_tried(c, depth, op.thread) || sleeps_at(tree, c, depth, op.thread))
            continue;
        tsl_tree_add(tree, tsl_tree_node(tree, c, depth), &op);
        if (!all)
            return;
    }
}

// ---------------------------------------------------------------- races

static bool is_flipped(const tsl_tree *tree, const tsl_cursor *c, size_t depth,
                       const tsl_reversal *v) {
    unsigned t = v->last.thread;
    bool delayed = !v->grows && sleeps_at(tree, c, depth, t);
    return (is_postponed(c, depth, t) || delayed) && tsl_reversal_initial(v, v->n - 1);
}

static void consider(tsl_tree *tree, tsl_cursor *c, size_t depth, const tsl_reversal *v) {
    if (!is_flagged(c, depth) && !is_flipped(tree, c, depth, v))
        flag(tree, c, depth, false);
}

static void find_races(tsl_tree *tree, tsl_cursor *c) {
    tsl_race_find(&c->history, &tree->races);
    tsl_tree_report_races(tree, c);
}

static void flip(tsl_tree *tree, tsl_cursor *c, bool pending) {
    (void)pending;
    tsl_reversal v;
    find_races(tree, c);
    for (size_t i = 0; i < tree->races.len; i++)
        if (tsl_reversal_of_race(&v, &c->history, &tree->races.data[i], &tree->rest))
            consider(tree, c, tree->races.data[i].first, &v);
}

// Its thread is not told to be enabled while others can run.
static void exit_instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    if (!was_tried(c, s, op->thread) && !sleeps_at(tree, c, s, op->thread))
        tsl_tree_add(tree, tsl_tree_node(tree, c, s), op);
}

static void flip_instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    if (op->kind == TSL_EV_EXIT) {
        exit_instead(tree, c, s, op);
        return;
    }
    tsl_reversal v;
    tsl_reversal_of_op(&v, &c->history, s, op, &tree->rest);
    consider(tree, c, s, &v);
}

// ---------------------------------------------------------------- 5.2

static void try_all(tsl_tree *tree, tsl_cursor *c, bool pending) {
    find_races(tree, c);
    if (!pending && tsl_vec_last(&c->history.steps).kind != TSL_EV_BRANCH)
        flag(tree, c, c->history.steps.len - 1, true);
}

static void only_exits(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    if (op->kind == TSL_EV_EXIT)
        exit_instead(tree, c, s, op);
}

// ---------------------------------------------------------------- the strategies

static const tsl_tree_rule simple_rule = {.step = try_all, .instead = only_exits};
static const tsl_tree_rule flip_rule = {.step = flip, .instead = flip_instead};
static const tsl_tree_rule opt_rule = {.step = flip, .instead = flip_instead, .sleeps = true};

static tsl_strategy *simple_new(const tsl_search *search) {
    return tsl_tree_new(&tsl_strategy_raceflip_simple, &simple_rule, search);
}

static tsl_strategy *flip_new(const tsl_search *search) {
    return tsl_tree_new(&tsl_strategy_raceflip, &flip_rule, search);
}

static tsl_strategy *opt_new(const tsl_search *search) {
    return tsl_tree_new(&tsl_strategy_raceflip_opt, &opt_rule, search);
}

const tsl_strategy_kind tsl_strategy_raceflip_simple = {
    .name = "raceflip-simple",
    .help = "every thread at every choice point",
    .analyses = true,
    .new = simple_new,
    .next = tsl_tree_next,
    .learn = tsl_tree_learn,
    .free = tsl_tree_free,
};

const tsl_strategy_kind tsl_strategy_raceflip = {
    .name = "raceflip",
    .help = "race detection and flipping",
    .analyses = true,
    .new = flip_new,
    .next = tsl_tree_next,
    .learn = tsl_tree_learn,
    .free = tsl_tree_free,
};

const tsl_strategy_kind tsl_strategy_raceflip_opt = {
    .name = "raceflip-opt",
    .help = "race detection and flipping; flipped threads are delayed",
    .analyses = true,
    .new = opt_new,
    .next = tsl_tree_next,
    .learn = tsl_tree_learn,
    .free = tsl_tree_free,
};
