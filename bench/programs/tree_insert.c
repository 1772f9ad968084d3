// tree_insert(N): inserts N input numbers into a binary tree, equal ones once.  One path per
// ordered partition.
#include <stdlib.h>
#include <teasel.h>

#ifndef N
#define N 5
#endif

struct node {
    int value;
    struct node *left, *right;
};

static struct node *insert(struct node *tree, int value) {
    if (!tree) {
        tree = malloc(sizeof *tree);
        *tree = (struct node){value, NULL, NULL};
    } else if (value < tree->value)
        tree->left = insert(tree->left, value);
    else if (value > tree->value)
        tree->right = insert(tree->right, value);
    return tree;
}

int main(void) {
    int a[N];
    struct node *tree = NULL;
    TEASEL_INPUT(a);
    for (int i = 0; i < N; i++)
        tree = insert(tree, a[i]);
    return tree == NULL;
}
