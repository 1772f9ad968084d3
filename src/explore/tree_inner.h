// What is a search tree made of?
//
// tree.c makes and frees nodes and edges, tree_learn.c adds what a run has shown, tree_next.c walks
// the tree, tree_stray.c takes back what did not go as planned, tree_rule.c answers rules,
// tree_check.c checks invariants, and wakeup*.c insert wakeup sequences.
#ifndef TSL_EXPLORE_TREE_INNER_H
#define TSL_EXPLORE_TREE_INNER_H

#include "base/rng.h"
#include "explore/order.h"
#include "explore/wakeup.h"

enum { TSL_TREE_CURSORS = 64 }; // at most

enum tsl_edge_state { TSL_EDGE_OPEN, TSL_EDGE_TAKEN, TSL_EDGE_DONE };

struct tsl_tree_node {
    tsl_edge *first;
    tsl_doubt *doubts;    // to be looked at again once the result they depend on is known
    tsl_tree_node *above; // of an inner node: the node that its edge leaves
    uint32_t open;        // open leaves and doubts, here and in the inner nodes below
    uint32_t users;       // cursors whose way leads through the node; 0 of an inner node
    bool is_inner;
    bool may_branch; // no run has come here yet, so the next step may be an input branch
    bool is_full;    // every thread that could run there was added
};

// What a walk along the edges of a node looks at comes first, in one line of the cache.
struct tsl_edge {
    tsl_edge *next;
    uint16_t choice;
    bool is_leaf;
    bool sure;       // op is what the step will do; false: its result may differ
    bool risky;      // not executed yet, and may turn out to be redundant
    bool executed;   // some run has taken it
    bool only;       // its alternatives are edges of their own
    bool guessed;    // before it was executed, or failed, op was taken to conflict with everything
    bool must_solve; // the inputs do not lead there yet: `cond` is to be made true
    uint8_t state;   // enum tsl_edge_state, of a leaf
    uint32_t inputs; // of a leaf: that lead there; the set is held
    tsl_op op;       // what the step does
    tsl_term cond, pinned; // as tsl_hop
    tsl_tree_node inner;   // where the edge leads to, unless it is a leaf
};

enum tsl_cursor_state { TSL_CURSOR_IDLE, TSL_CURSOR_READY, TSL_CURSOR_FLYING };

// Where the way of a cursor comes by.
typedef struct tsl_stop {
    tsl_tree_node *node; // NULL until an edge was added there
    tsl_edge *taken;     // the cursor's edge; NULL: there is no node, or the edge was pruned
} tsl_stop;

typedef TSL_VEC(tsl_op) tsl_op_list;

struct tsl_cursor {
    tsl_history history;
    TSL_VEC(tsl_hop) path;         // of the run at hand, or of the next one
    TSL_VEC(tsl_stop) stops;       // by depth
    tsl_op_list sleepers;          // sleep sets, one behind the other
    TSL_VEC(uint32_t) sleep_start; // by depth
    tsl_reversal_list reversals;   // of races of the history's steps, for rules that keep them
    tsl_import nodes;              // of the last run
    tsl_prefix prefix;             // the events of the history's steps
    uint32_t inputs;               // of the run at hand, or of the next one; held
    size_t known;                  // so many steps of path were shown to the rule before
    size_t kept;                   // so many steps of the history stayed from the run before
    uint8_t state;                 // enum tsl_cursor_state
    bool begun;                    // something was run
};

// Edges that lead from a node to a leaf.
typedef TSL_VEC(tsl_edge *) tsl_edges;

struct tsl_tree {
    tsl_strategy base;
    const tsl_tree_rule *rule;
    tsl_search search;
    tsl_rng rng;
    tsl_cursor cursors[TSL_TREE_CURSORS];
    unsigned ncursors;
    unsigned flying[2 * TSL_TREE_CURSORS]; // cursors whose runs are under way, oldest first
    unsigned nflying;
    unsigned discard;   // so many of the runs under way are from before the tree began again
    const tsl_run *run; // while a rule looks at it
    tsl_inputs *inputs;
    bool lost, lost_any;        // the run at hand did not go as planned; some run did not
    tsl_edge *spare;            // edges to be used again
    tsl_tree_node *spare_nodes; // the same for nodes, linked by `above`
    TSL_VEC(tsl_edge *) chunks;
    bool begun, ending;
    uint64_t learned; // runs
    tsl_order order;
    size_t threads;                  // most in one run, so far
    bool must_start_over, as_source; // as_source: with the rule of `source`
    tsl_sync sync;                   // of the run at hand, if it has weak atomics
    // Memory that is used again and again.
    tsl_enabled enabled;
    tsl_path_condition conditions;
    tsl_edges way;
    tsl_race_list races;
    tsl_wakeup_room room;
};

// ---------------------------------------------------------------- nodes and edges (tree.c)

static inline tsl_hop tsl_edge_hop(const tsl_edge *edge) {
    return (tsl_hop){edge->op.thread, edge->choice, edge->cond, edge->pinned};
}

// One open leaf or doubt more, or less.
static inline void tsl_tree_count(tsl_tree_node *node, int change) {
    for (; node; node = node->above)
        node->open += (uint32_t)change;
}

tsl_edge *tsl_edge_new(tsl_tree *tree, const tsl_op *op, tsl_hop hop);
void tsl_edges_free(tsl_tree *tree, tsl_edge *list); // and all below
// Adds an open leaf right behind an edge of the node; NULL: behind all.
tsl_edge *tsl_tree_add_edge(tsl_tree *tree, tsl_tree_node *node, tsl_edge *behind, tsl_hop hop,
                            const tsl_op *op);
// The inputs of this set lead to the leaf.
void tsl_tree_lead_to(tsl_tree *tree, tsl_edge *leaf, uint32_t inputs);

// ---------------------------------------------------------------- where a cursor stands (tree.c)

// The node before step `depth` of the cursor's way; made if it is not there.
tsl_tree_node *tsl_tree_make_node(tsl_tree *tree, tsl_cursor *cursor, size_t depth);
static inline tsl_tree_node *tsl_tree_node_at(tsl_tree *tree, tsl_cursor *cursor, size_t depth) {
    tsl_tree_node *node = cursor->stops.data[depth].node;
    return node ? node : tsl_tree_make_node(tree, cursor, depth);
}

// The sleep set before step `depth`.
static inline const tsl_op *tsl_sleep_set(const tsl_cursor *c, size_t depth, size_t *n) {
    size_t from = c->sleep_start.data[depth];
    size_t to = depth + 1 < c->sleep_start.len ? c->sleep_start.data[depth + 1] : c->sleepers.len;
    *n = to - from;
    return to == from ? NULL : c->sleepers.data + from;
}

// Is there an operation of the thread among those from `from` on?
bool tsl_ops_have(const tsl_op_list *ops, size_t from, unsigned thread);

// The cursor goes back: the history to before step n, or the cursor to there; or out of the node
// that it stands at.
void tsl_cursor_unread(tsl_cursor *cursor, size_t n);
void tsl_tree_cut(tsl_tree *tree, tsl_cursor *cursor, size_t n);
void tsl_tree_leave(tsl_tree *tree, tsl_cursor *cursor);

// ---------------------------------------------------------------- what a run shows

// Of the last step: a synchronisation object is read as plain memory, and the claim gets weaker
// (model/inside.h).
void tsl_tree_report_inside(tsl_tree *tree, const tsl_cursor *cursor);

// ---------------------------------------------------------------- runs that stray (tree_stray.c)

// The leaf that the cursor has taken there stands for nothing new, so it leaves the tree, and the
// cursor goes back.
void tsl_tree_prune(tsl_tree *tree, tsl_cursor *cursor, size_t depth);
// The run did not begin as planned: nothing is learned from it, and its leaf is gone.  Without a
// divergence the run was cut short, by its time limit for instance.
void tsl_tree_stray(tsl_tree *tree, tsl_cursor *cursor, size_t planned,
                    const tsl_divergence *divergence);
// Is step s, just read, which does `op`, the step that was planned?  If not, the run strays.
bool tsl_tree_follows(tsl_tree *tree, tsl_cursor *cursor, uint32_t s, tsl_hop hop, size_t planned,
                      const tsl_op *op);
// Does the run begin with the steps that the cursor's history keeps?
bool tsl_tree_begins_as_kept(tsl_tree *tree, tsl_cursor *cursor, size_t planned);
void tsl_tree_keep_prefix(tsl_cursor *cursor, const tsl_run *run);
// The run was read up to its end.  False: that came before all planned steps were taken.
bool tsl_tree_came_far_enough(tsl_tree *tree, tsl_cursor *cursor, size_t planned);

#endif
