// The tree of runs that the reducing strategies share.
//
// A node is a state, reached by the steps in front of it; a branch leaves it with a step.
// What differs between strategies is which branches are added: each has a rule that is
// shown every new step of a run and adds branches to nodes on the way to it.  Common to all:
//
//     sleep(child)  =  those of sleep(node) and of the branches to the left of
//                      this one that do not conflict with its step
//
// A branch either ends a sequence to be tried (a leaf: open, taken, done) and everything
// behind it is explored, or it leads to an inner node with branches of its own: the
// wakeup tree.  Inner nodes stay as long as the node their tree hangs from, because more
// may be inserted; nodes behind leaves come and go with the runs.
//
// Nodes are made when a branch is added, so a run costs what is new in it.
//
// Several cursors walk the tree at the same time, each with its own place and history, so
// that the runner need not wait while a Trace is read.  Which branches come before
// which is fixed when they are added or taken, so cursors do not disturb each other: a
// branch another cursor is busy with is as good as explored.
#ifndef TSL_EXPLORE_TREE_H
#define TSL_EXPLORE_TREE_H

#include "base/rng.h"
#include "explore/order.h"
#include "explore/plan.h"
#include "explore/strategy.h"
#include "model/race.h"
#include "model/sync.h"

enum {
    TSL_TREE_CURSORS = 64 // at most
};

enum tsl_branch_state { TSL_BRANCH_OPEN, TSL_BRANCH_TAKEN, TSL_BRANCH_DONE };

typedef struct tsl_node {
    struct tsl_branch *first;
    struct tsl_doubt *doubts; // to be looked at again once the result they depend on is known
    struct tsl_node *above;   // of an inner node: the one its branch leaves from
    uint32_t open;            // open leaves and doubts, here and in the inner nodes below
    uint32_t users;           // cursors whose way leads through it
    bool is_inner;
    bool may_branch; // the way there was not run yet: a BRANCH may come first, nobody knows
    bool is_full;    // every thread that could run there was added
} tsl_node;

// What a walk along the branches of a node looks at comes first, in one line of the cache.
typedef struct tsl_branch {
    struct tsl_branch *next;
    uint16_t choice;
    bool is_leaf;
    bool sure;       // op is what it will do; false: its result may differ
    bool risky;      // not executed yet, and may turn out to be redundant
    bool executed;   // some run has taken it
    bool only;       // its alternatives are branches of their own
    bool guessed;    // before it was executed, or failed, op was taken to conflict with everything
    bool must_solve; // the inputs do not lead there yet: `cond` is to be made true
    uint8_t state;   // enum tsl_branch_state, of a leaf
    uint32_t inputs; // of a leaf: that lead there; the set is held
    tsl_op op;       // what its step does
    tsl_term cond, pinned; // as tsl_hop
    tsl_node inner;        // where it leads to, unless it is a leaf
} tsl_branch;

// A sequence of steps, as one that might have to be explored; see optimal.c.
typedef struct tsl_doubt {
    struct tsl_doubt *next;
    uint32_t n;
    bool last_is_sure, risky;
    uint32_t inputs; // that lead there, as far as it goes; held
    bool *before;    // n * n
    tsl_hop *hops;
    tsl_op ops[];
} tsl_doubt;

// A race to be reversed once the run has been read.
typedef struct tsl_found_race {
    tsl_race race;
    uint32_t at;               // the step that it was found at
    uint32_t second, woken_by; // steps or TSL_NONE
    uint32_t settled; // nothing is to be done while the steps up to this one stay, or TSL_NONE
    bool sure;        // op is what the second one will do
    bool as_was;      // and what it did
    tsl_op op;
} tsl_found_race;

enum tsl_cursor_state { TSL_CURSOR_IDLE, TSL_CURSOR_READY, TSL_CURSOR_FLYING };

typedef struct tsl_stop {
    tsl_node *node;    // NULL until something was added there
    tsl_branch *taken; // this cursor's branch; NULL: nothing else there
} tsl_stop;

typedef struct tsl_cursor {
    tsl_history history;
    TSL_VEC(tsl_hop) path;             // of the run at hand, or of the next one
    TSL_VEC(tsl_stop) stops;           // by depth
    TSL_VEC(tsl_op) sleepers;          // sleep sets one behind the other
    TSL_VEC(uint32_t) sleep_start;     // by depth
    TSL_VEC(tsl_found_race) reversals; // races of the history's steps, for rules that keep them
    tsl_import nodes;                  // of the last run
    tsl_prefix prefix;                 // the events of the history's steps
    uint32_t inputs;                   // of the run at hand, or of the next one; held
    size_t known;                      // so many steps of path were shown to the rule before
    size_t kept;                       // so many steps of the history stayed from the run before
    uint8_t state;                     // enum tsl_cursor_state
    bool begun;                        // something was run
} tsl_cursor;

// Branches that lead from a node to a leaf.
typedef TSL_VEC(tsl_branch *) tsl_way;

typedef struct tsl_tree tsl_tree;

typedef struct tsl_tree_rule {
    // Step number s, the last in the cursor's history, is new; or it is pending: it
    // stood there when the run ended.  May add branches.
    void (*step)(tsl_tree *tree, tsl_cursor *cursor, bool pending);
    bool races_only; // step() need not see steps that race with none
    // Step number s woke a thread that could have run `op` instead just before it.
    void (*instead)(tsl_tree *tree, tsl_cursor *cursor, uint32_t s, const tsl_op *op);
    // The run has been read to its end.  May add branches; may be NULL.
    void (*finish)(tsl_tree *tree, tsl_cursor *cursor);
    // A node is left for the next branch: are doubts settled?  May be NULL.
    void (*settle)(tsl_tree *tree, tsl_node *node);
    bool sleeps;         // sleeping threads are told to the runner
    bool wakes_all;      // nothing sleeps behind a leaf, or the run is redundant
    bool reads_conflict; // in the history
    bool several;        // cursors may walk the tree
} tsl_tree_rule;

struct tsl_tree {
    tsl_strategy base;
    const tsl_tree_rule *rule;
    tsl_search search;
    tsl_rng rng;
    tsl_cursor cursors[TSL_TREE_CURSORS];
    unsigned ncursors;
    unsigned flying[2 * TSL_TREE_CURSORS]; // cursors whose runs are under way, oldest first
    unsigned nflying;
    const tsl_run *run;  // while a rule looks at it
    tsl_enabled enabled; // scratch
    tsl_cursor *reader;  // whose it is
    tsl_inputs *inputs;
    tsl_path_condition conditions; // scratch
    tsl_way way;                   // scratch
    bool lost, lost_any;           // the run at hand has gone another way; some run has
    tsl_branch *spare;             // branches to be used again
    TSL_VEC(tsl_branch *) chunks;
    bool begun, ending;
    uint64_t learned; // runs
    tsl_order order;
    size_t threads;                  // most in one run, so far
    bool must_start_over, as_source; // with the rule of `source`
    unsigned discard;                // so many of the runs under way are from before
    tsl_sync sync;                   // of the run at hand, if it has weak atomics
    // For rules.
    tsl_race_list races;
    tsl_step_list rest, gone;
    TSL_VEC(bool) keep;
    TSL_VEC(const tsl_op *) awaken;
};

tsl_strategy *tsl_tree_new(const tsl_strategy_kind *kind, const tsl_tree_rule *rule,
                           const tsl_search *search);
enum tsl_next tsl_tree_next(tsl_strategy *strategy, tsl_plan *plan);
void tsl_tree_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run);
void tsl_tree_free(tsl_strategy *strategy);

// ---------------------------------------------------------------- for rules

// The node before step `depth` of the cursor's way; made if it is not there.
tsl_node *tsl_tree_node(tsl_tree *tree, tsl_cursor *cursor, size_t depth);
// The branches added or explored there, the first one explored first; may be NULL.
tsl_branch *tsl_tree_branches(const tsl_cursor *cursor, size_t depth);

// One open leaf or doubt more, or less.
static inline void tsl_node_count(tsl_node *node, int change) {
    for (; node; node = node->above)
        node->open += (uint32_t)change;
}

// Adds an open leaf behind all others of the node.
tsl_branch *tsl_tree_add(tsl_tree *tree, tsl_node *node, const tsl_op *op);
// Adds an open leaf behind all others, or right behind one; its step is sure.
tsl_branch *tsl_tree_add_behind(tsl_tree *tree, tsl_node *node, tsl_branch *behind, tsl_hop hop,
                                tsl_op op);
// A sequence goes on: `leaf`, just added to the node, leads to another one, the leaf now.
tsl_branch *tsl_tree_add_below(tsl_tree *tree, tsl_node *node, tsl_branch *leaf, tsl_hop hop,
                               tsl_op op);

// The sleep set before step `depth`.
static inline const tsl_op *tsl_cursor_sleep(const tsl_cursor *c, size_t depth, size_t *n) {
    size_t from = c->sleep_start.data[depth];
    size_t to = depth + 1 < c->sleep_start.len ? c->sleep_start.data[depth + 1] : c->sleepers.len;
    *n = to - from;
    return to == from ? NULL : c->sleepers.data + from;
}

// How the cursor's step s went: the thread, and what was chosen.
static inline tsl_hop tsl_cursor_hop(const tsl_cursor *c, uint32_t s) { return c->path.data[s]; }
static inline tsl_hop tsl_branch_hop(const tsl_branch *b) {
    return (tsl_hop){b->op.thread, b->choice, b->cond, b->pinned};
}

// The inputs of this set lead to the leaf.
void tsl_tree_lead_to(tsl_tree *tree, tsl_branch *leaf, uint32_t inputs);

// From the beginning once this run has been looked at, with the coarse relation.
void tsl_tree_start_over(tsl_tree *tree);
extern const tsl_tree_rule tsl_source_rule; // source.c

// Threads that could run before step `depth`, in the order of their numbers.
void tsl_tree_enabled(tsl_tree *tree, const tsl_cursor *cursor, size_t depth, tsl_step_list *out);

// Everything a data race has to fulfil was checked but its novelty.
void tsl_tree_report_races(tsl_tree *tree, const tsl_cursor *cursor);
// Of the last step: a synchronisation object is read as plain memory, and the claim gets weaker (model/inside.h).
void tsl_tree_report_inside(tsl_tree *tree, const tsl_cursor *cursor);

// Of the run that was read: pairs that only weak atomics seem to order.  And of a step that a thread
// stood before at its end, the last one in the history.
void tsl_tree_report_weak_races(tsl_tree *tree, const tsl_cursor *cursor);
void tsl_tree_report_weak_pending(tsl_tree *tree, const tsl_cursor *cursor);

#endif
