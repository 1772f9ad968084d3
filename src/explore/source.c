// Source sets with sleep sets: every Mazurkiewicz trace once, some runs for nothing.
//
// Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction (POPL 2014),
// Algorithm 1.  At a race of e and e' let v be what would run were it the other way
// round (reversal.h):
//
//     nothing explored or waiting at the node before e is an initial of v:
//         one of the initials becomes a branch there
//
// Cheaper than optimal.c, which keeps all of v: what comes behind the initial is left to the
// runner, so the run may end with every enabled thread asleep.
//
// Where we differ: what sleeps at the node counts as explored, as in the paper's Algorithm 2.
// Only initials count, not weak initials (threads that are not in v and commute with it): a
// weak initial covers v only together with whatever reverses its own races later, and
// here nobody remembers to do that.  If e' sleeps but may do more there than it did here
// (reversal.h), every enabled thread is added.  Races of steps that never ran are looked at
// when the run ends.
#include "explore/reversal.h"
#include "explore/tree.h"

static bool is_asleep(const tsl_cursor *c, size_t depth, unsigned thread) {
    size_t n;
    const tsl_op *sleep = tsl_cursor_sleep(c, depth, &n);
    for (size_t i = 0; i < n; i++)
        if (sleep[i].thread == thread)
            return true;
    return false;
}

static bool is_covered(const tsl_cursor *c, size_t depth, const tsl_reversal *v) {
    size_t n;
    const tsl_op *sleep = tsl_cursor_sleep(c, depth, &n);
    for (size_t i = 0; i < n; i++)
        if (tsl_reversal_begins(v, sleep[i].thread) &&
            !(v->grows && sleep[i].thread == v->last.thread))
            return true;
    for (const tsl_branch *b = tsl_tree_branches(c, depth); b; b = b->next)
        if (tsl_reversal_begins(v, b->op.thread))
            return true;
    return false;
}

// e' sleeps, and what has to come before it is not known.
static void add_all(tsl_tree *tree, tsl_cursor *c, size_t depth) {
    tsl_tree_enabled(tree, c, depth, &tree->rest);
    for (size_t i = 0; i < tree->rest.len; i++) {
        tsl_op op = {.thread = (uint16_t)tree->rest.data[i]};
        bool there = is_asleep(c, depth, op.thread) || op.thread == c->path.data[depth].thread;
        for (const tsl_branch *b = tsl_tree_branches(c, depth); b && !there; b = b->next)
            there = b->op.thread == op.thread;
        if (!there)
            tsl_tree_add(tree, tsl_tree_node(tree, c, depth), &op);
    }
}

// e' itself if it is an initial; the first step of v always is one.
static void insert(tsl_tree *tree, tsl_cursor *c, size_t depth, const tsl_reversal *v) {
    if (is_covered(c, depth, v))
        return;
    size_t last = v->n - 1, first = tsl_reversal_initial(v, last) ? last : 0;
    tsl_op op = tsl_reversal_op(v, first);
    if (is_asleep(c, depth, op.thread))
        add_all(tree, c, depth);
    else
        tsl_tree_add(tree, tsl_tree_node(tree, c, depth), &op);
}

static void step(tsl_tree *tree, tsl_cursor *c, bool pending) {
    (void)pending;
    tsl_reversal v;
    tsl_race_find(&c->history, &tree->races);
    tsl_tree_report_races(tree, c);
    for (size_t i = 0; i < tree->races.len; i++)
        if (tsl_reversal_of_race(&v, &c->history, &tree->races.data[i], &tree->rest))
            insert(tree, c, tree->races.data[i].first, &v);
}

static void instead(tsl_tree *tree, tsl_cursor *c, uint32_t s, const tsl_op *op) {
    tsl_reversal v;
    tsl_reversal_of_op(&v, &c->history, s, op, &tree->rest);
    insert(tree, c, s, &v);
}

const tsl_tree_rule tsl_source_rule = {.step = step, .instead = instead, .sleeps = true};

static tsl_strategy *source_new(const tsl_search *search) {
    return tsl_tree_new(&tsl_strategy_source, &tsl_source_rule, search);
}

const tsl_strategy_kind tsl_strategy_source = {
    .name = "source",
    .help = "source sets with sleep sets: every trace once, some runs cut short",
    .analyses = true,
    .new = source_new,
    .next = tsl_tree_next,
    .learn = tsl_tree_learn,
    .free = tsl_tree_free,
};
