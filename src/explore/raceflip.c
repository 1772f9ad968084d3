// Race detection and flipping.
//
// Sen: Scalable automated methods for dynamic program analysis (thesis, 2006), chapter 5:
//
//     raceflip-simple   5.2: at every choice point every enabled thread is tried
//     raceflip          5.3: only where the step taken races with a later one
//     raceflip-opt      5.4: and what was postponed is delayed until something races with it
//
// Postponed at a state are the threads whose steps were tried there before; here, those of the edges
// to the left.  When a later step races with the step taken (immediately: nothing lies between the
// two), the state is flagged.  Once everything behind the step taken is explored, the next thread
// that is enabled and not postponed is tried.  If no step races with the last step tried, that step
// can come first in every run that is left, and the state is done.
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
//     postponed and its step an initial (wakeup.h): nothing that it depends on lies
//     between, and it was run first when t was tried.  The same holds where t is delayed.
//   - Threads that are blocked when the run ends race as if they ran; a timed wait that is
//     woken races with its waker.
//   - The next step is the running thread's if it can run, in all three (Fig. 5.5); 5.2 and
//     5.4 say the lowest.  The proof does not depend on that.
//
// tests/vm/corpus has a program for each of the two losses.
#include "explore/wakeup.h"

// ---------------------------------------------------------------- threads at a state

static bool is_postponed(const tsl_cursor *c, size_t depth, unsigned thread) {
    const tsl_edge *edge = tsl_cursor_edges(c, depth), *own = tsl_cursor_taken(c, depth);
    for (; edge && edge != own; edge = tsl_edge_next(edge))
        if (tsl_edge_thread(edge) == thread)
            return true;
    return false;
}

// Is another thread to be tried there already?
static bool is_flagged(const tsl_cursor *c, size_t depth) {
    const tsl_edge *own = tsl_cursor_taken(c, depth);
    for (const tsl_edge *edge = own; edge; edge = tsl_edge_next(edge))
        if (tsl_edge_thread(edge) != tsl_edge_thread(own))
            return true;
    return false;
}

// ---------------------------------------------------------------- races

static bool is_flipped(const tsl_tree *tree, const tsl_cursor *c, const tsl_wakeup *v) {
    unsigned t = v->last->thread;
    bool delayed = !v->grows && tsl_tree_sleeper(tree, c, v->first, t);
    return (delayed || is_postponed(c, v->first, t)) && tsl_wakeup_is_initial(v, v->n - 1);
}

static void consider(tsl_tree *tree, tsl_cursor *c, const tsl_wakeup *v) {
    if (!is_flagged(c, v->first) && !is_flipped(tree, c, v))
        tsl_tree_try_enabled(tree, c, v->first, false); // the lowest
}

static void flip(tsl_tree *tree, tsl_cursor *c, bool pending) {
    (void)pending;
    tsl_wakeup v;
    const tsl_race_list *races = tsl_tree_find_races(tree, c);
    for (size_t i = 0; i < races->len; i++)
        if (tsl_wakeup_of_race(&v, tree, c, &races->data[i]))
            consider(tree, c, &v);
}

static void flip_instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    tsl_wakeup v;
    if (op->kind == TSL_EV_EXIT) { // the runtime does not call its thread enabled
        tsl_tree_try(tree, c, s, op);
        return;
    }
    tsl_wakeup_of_op(&v, tree, c, s, op);
    consider(tree, c, &v);
}

// ---------------------------------------------------------------- 5.2

static void try_all(tsl_tree *tree, tsl_cursor *c, bool pending) {
    const tsl_history *h = tsl_cursor_history(c);
    tsl_tree_find_races(tree, c);
    if (!pending && tsl_vec_last(&h->steps).kind != TSL_EV_BRANCH)
        tsl_tree_try_enabled(tree, c, h->steps.len - 1, true);
}

static void only_exits(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    if (op->kind == TSL_EV_EXIT)
        tsl_tree_try(tree, c, s, op);
}

// ---------------------------------------------------------------- the strategies

static const tsl_tree_rule simple_rule = {.step = try_all, .instead = only_exits};
static const tsl_tree_rule flip_rule = {.step = flip, .instead = flip_instead};
static const tsl_tree_rule opt_rule = {.step = flip, .instead = flip_instead, .sleeps = true};

TSL_TREE_STRATEGY(raceflip_simple, &simple_rule, "raceflip-simple",
                  "every thread at every choice point");
TSL_TREE_STRATEGY(raceflip, &flip_rule, "raceflip", "race detection and flipping");
TSL_TREE_STRATEGY(raceflip_opt, &opt_rule, "raceflip-opt",
                  "race detection and flipping; flipped threads are delayed");
