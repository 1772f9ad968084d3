// Source sets with sleep sets: every order (Mazurkiewicz trace) once, some runs redundant.
//
// Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction (POPL 2014),
// Algorithm 1.  At a race of e and e' let v be the wakeup sequence (wakeup.h), up to e':
//
//     if no step of v that is explored or waiting at the node before e is an initial of v,
//     one of the initials becomes an edge there
//
// This is cheaper than optimal.c, which keeps all of v: what comes behind the initial is left to the
// runner, so the run may end with every enabled thread asleep.
//
// Where we differ: what sleeps at the node counts as explored, as in the paper's Algorithm 2.
// Only initials count, not weak initials (steps of threads that are not in v): a weak initial
// covers v only together with what reverses its own races later, and here nothing remembers to do
// that.  If e' sleeps but may do more there than it did here (tsl_wakeup.grows), every enabled
// thread is added.  Races of steps that never ran are looked at when the run ends.
#include "explore/wakeup.h"

static bool is_covered(const tsl_cursor *c, const tsl_wakeup *v) {
    size_t n;
    const tsl_op *sleep = tsl_cursor_sleep(c, v->first, &n);
    for (size_t i = 0; i < n; i++)
        if (tsl_wakeup_begins(v, sleep[i].thread) &&
            !(v->grows && sleep[i].thread == v->last->thread))
            return true;
    const tsl_edge *edge = tsl_cursor_edges(c, v->first);
    for (; edge; edge = tsl_edge_next(edge))
        if (tsl_wakeup_begins(v, tsl_edge_thread(edge)))
            return true;
    return false;
}

// Adds e' itself if e' is an initial, else the first step of v, which always is one.  If that
// thread sleeps, what has to come before e' is not known.
static void insert(tsl_tree *tree, tsl_cursor *c, const tsl_wakeup *v) {
    if (is_covered(c, v))
        return;
    size_t last = v->n - 1, initial = tsl_wakeup_is_initial(v, last) ? last : 0;
    tsl_op op = tsl_wakeup_op(v, initial);
    if (tsl_tree_sleeper(tree, c, v->first, op.thread))
        tsl_tree_try_enabled(tree, c, v->first, true);
    else
        tsl_tree_add(tree, c, v->first, &op);
}

static void step(tsl_tree *tree, tsl_cursor *c, bool pending) {
    (void)pending;
    tsl_wakeup v;
    const tsl_race_list *races = tsl_tree_find_races(tree, c);
    for (size_t i = 0; i < races->len; i++)
        if (tsl_wakeup_of_race(&v, tree, c, &races->data[i]))
            insert(tree, c, &v);
}

static void instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    tsl_wakeup v;
    tsl_wakeup_of_op(&v, tree, c, s, op);
    insert(tree, c, &v);
}

const tsl_tree_rule tsl_source_rule = {.step = step, .instead = instead, .sleeps = true};

TSL_TREE_STRATEGY(source, &tsl_source_rule, "source",
                  "source sets with sleep sets: every trace once, some runs cut short");
