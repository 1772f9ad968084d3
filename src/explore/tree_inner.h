// What the files of the tree share and nobody else needs: tree.c keeps it, tree_learn.c makes it
// grow by what a run has shown, tree_next.c walks it.
#ifndef TSL_EXPLORE_TREE_INNER_H
#define TSL_EXPLORE_TREE_INNER_H

#include "explore/tree.h"

tsl_branch *tsl_branch_new(tsl_tree *tree, const tsl_op *op, tsl_hop hop);
void tsl_branches_free(tsl_tree *tree, tsl_branch *list); // and all below
tsl_branch *tsl_branch_add_behind(tsl_tree *tree, tsl_branch *left, const tsl_op *op, tsl_hop hop);
tsl_branch *tsl_branch_add_last(tsl_tree *tree, tsl_node *node, const tsl_op *op, tsl_hop hop);

// The cursor goes back: to before step n; out of the node it stands at.
void tsl_tree_cut(tsl_tree *tree, tsl_cursor *cursor, size_t n);
void tsl_tree_leave(tsl_tree *tree, tsl_cursor *cursor);

// A leaf that turned out to stand for nothing new must not stand for anything: away with it.
void tsl_tree_prune(tsl_tree *tree, tsl_cursor *cursor, size_t depth);
// The run did not begin as planned (tree_stray.c): nothing is learned from it, and its leaf is gone.
// Without a divergence it was cut short, by its time limit for instance.
void tsl_tree_stray(tsl_tree *tree, tsl_cursor *cursor, size_t planned,
                    const tsl_divergence *divergence);
// Is step s, just read, which does `op`, the one that was planned?  If not, the run strays.
bool tsl_tree_follows(tsl_tree *tree, tsl_cursor *cursor, uint32_t s, tsl_hop hop, size_t planned,
                      const tsl_op *op);
// Does the run begin with the steps that the cursor's history keeps?
bool tsl_tree_begins_as_kept(tsl_tree *tree, tsl_cursor *cursor, size_t planned);
void tsl_tree_keep_prefix(tsl_cursor *cursor, const tsl_run *run);
// It was read up to its end.  False: that came before all planned steps were taken.
bool tsl_tree_came_far_enough(tsl_tree *tree, tsl_cursor *cursor, size_t planned);

#endif
