// A write through a pointer kept too long, after other allocations of the same size.
// teasel: strategies=random,dfs
// expect: use-after-free at=BUG
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *volatile kept = malloc(sizeof *kept);
    free(kept);
    struct node *volatile other = malloc(sizeof *other);
    other->value = 1;
    kept->next = NULL; // BUG
    free(other);
    return 0;
}
