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

#endif
