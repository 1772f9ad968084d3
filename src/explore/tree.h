// The search tree that the reducing strategies share.
//
// A node is a state of the program, reached by the steps in front of it; an edge leaves a node with
// a step.  Strategies differ in which edges they add.  Each has a rule, which is shown every new
// step of a run and adds edges to nodes on the way to that step.  Sleep sets are common to all:
//
//     sleep(child)  =  what sleeps at the node, and the steps of the edges to the left of the one
//                      taken, without those that conflict with the step of the one taken
//
// An edge either is a leaf (open, taken, done), and everything behind its step is explored, or it
// leads to an inner node, which has edges of its own.  The inner nodes below a node are its wakeup
// tree (wakeup.h).  They stay as long as the node that they hang from, because more may be inserted;
// nodes behind leaves come and go with the runs.
//
// Nodes are made when an edge is added, so that a run costs only what is new in it.
//
// Several cursors walk the tree at the same time, each with its own path and history, so that the
// runner need not wait while a Trace is read.  The order of the edges of a node is fixed when they
// are added or taken.  So cursors do not disturb each other: an edge that another cursor is busy
// with is as good as explored.
//
// This header is what strategies and their rules see.  tree_inner.h has the insides, for the files
// that grow and walk the tree: tree*.c and wakeup*.c.
#ifndef TSL_EXPLORE_TREE_H
#define TSL_EXPLORE_TREE_H

#include "explore/strategy.h"

typedef struct tsl_tree tsl_tree;
typedef struct tsl_tree_node tsl_tree_node;
typedef struct tsl_edge tsl_edge;
typedef struct tsl_cursor tsl_cursor;

typedef struct tsl_tree_rule {
    // The last step of the cursor's history is new; or it is pending: it stood there when the run
    // ended.  May add edges.
    void (*step)(tsl_tree *tree, tsl_cursor *cursor, bool pending);
    bool races_only; // step() need not see steps that race with none
    // Step number s woke a thread that could have run `op` instead just before step s.
    void (*instead)(tsl_tree *tree, tsl_cursor *cursor, uint32_t s, const tsl_op *op);
    // The run has been read to its end.  May add edges; may be NULL.
    void (*finish)(tsl_tree *tree, tsl_cursor *cursor);
    // The search enters a node to choose an edge: are its doubts settled?  May be NULL.
    void (*settle)(tsl_tree *tree, tsl_tree_node *node);
    bool sleeps;         // the runner is told which threads sleep
    bool wakes_all;      // nothing sleeps behind a leaf, or the run is redundant
    bool reads_conflict; // in the history
    bool several;        // several cursors may walk the tree
} tsl_tree_rule;

extern const tsl_tree_rule tsl_source_rule; // source.c

tsl_strategy *tsl_tree_new(const tsl_strategy_kind *kind, const tsl_tree_rule *rule,
                           const tsl_search *search);
enum tsl_next tsl_tree_next(tsl_strategy *strategy, tsl_plan *plan);
void tsl_tree_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run);
void tsl_tree_free(tsl_strategy *strategy);
const tsl_events *tsl_tree_known(const tsl_strategy *strategy);
// Aborts if an invariant of the tree is broken (tree_check.c); called by tests.
void tsl_tree_check(const tsl_strategy *strategy);

// Defines the strategy tsl_strategy_ID, which searches the tree by a rule.
#define TSL_TREE_STRATEGY(id, rule, text_name, text_help)                                          \
    static tsl_strategy *id##_new(const tsl_search *search) {                                      \
        return tsl_tree_new(&tsl_strategy_##id, rule, search);                                     \
    }                                                                                              \
    const tsl_strategy_kind tsl_strategy_##id = {.name = text_name,                                \
                                                 .help = text_help,                                \
                                                 .analyses = true,                                 \
                                                 .new = id##_new,                                  \
                                                 .next = tsl_tree_next,                            \
                                                 .learn = tsl_tree_learn,                          \
                                                 .free = tsl_tree_free,                            \
                                                 .known = tsl_tree_known,                          \
                                                 .check = tsl_tree_check}

// ---------------------------------------------------------------- for rules (tree_rule.c)

const tsl_history *tsl_cursor_history(const tsl_cursor *cursor);
// So many steps of the path were shown to the rule in earlier runs; so many steps of the history
// stayed from the run before.
size_t tsl_cursor_known(const tsl_cursor *cursor);
size_t tsl_cursor_kept(const tsl_cursor *cursor);
// The sleep set before step `depth`: n operations.
const tsl_op *tsl_cursor_sleep(const tsl_cursor *cursor, size_t depth, size_t *n);
// The edges of the node before step `depth`, the one explored first comes first; may be NULL.
const tsl_edge *tsl_cursor_edges(const tsl_cursor *cursor, size_t depth);
// The edge that the cursor has taken there.  NULL: that step has no edge, because there is no other.
const tsl_edge *tsl_cursor_taken(const tsl_cursor *cursor, size_t depth);
const tsl_edge *tsl_edge_next(const tsl_edge *edge);
unsigned tsl_edge_thread(const tsl_edge *edge);

// Has the node before step `depth` an edge of the thread?
bool tsl_cursor_has_edge(const tsl_cursor *cursor, size_t depth, unsigned thread);
// With what does the thread sleep there?  NULL: it does not, or the strategy has no sleep sets.
const tsl_op *tsl_tree_sleeper(const tsl_tree *tree, const tsl_cursor *cursor, size_t depth,
                               unsigned thread);
// The threads that could run there, in the order of their numbers; valid until asked again.
const tsl_enabled *tsl_tree_enabled(tsl_tree *tree, const tsl_cursor *cursor, size_t depth);

// Adds an open leaf behind all other edges there.
void tsl_tree_add(tsl_tree *tree, tsl_cursor *cursor, size_t depth, const tsl_op *op);
// Adds it unless its thread has taken the step there, has an edge or sleeps; was it added?
bool tsl_tree_try(tsl_tree *tree, tsl_cursor *cursor, size_t depth, const tsl_op *op);
// Tries all threads that could run there, or only up to the first that is added.  What they do is
// known once they have run.
void tsl_tree_try_enabled(tsl_tree *tree, tsl_cursor *cursor, size_t depth, bool all);
// A node is full once a rule has added every thread that could run there.
bool tsl_cursor_is_full(const tsl_cursor *cursor, size_t depth);
void tsl_tree_set_full(tsl_tree *tree, tsl_cursor *cursor, size_t depth);

// The races of the last step; those that are data races are reported.  Valid until asked again.
const tsl_race_list *tsl_tree_find_races(tsl_tree *tree, const tsl_cursor *cursor);
// The two threads have raced: what follows a prefix should order them (order.h).
void tsl_tree_order_race(tsl_tree *tree, unsigned a, unsigned b);
// Once this run has been read the search begins again, with compare-and-swaps as writes.
void tsl_tree_start_over(tsl_tree *tree);

#endif
