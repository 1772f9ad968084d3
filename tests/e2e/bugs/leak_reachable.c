// With --leaks, what a global or a block of a global still points to is not lost.
// teasel: strategies=random,dfs flags=--leaks
// expect: clean
#include <stdlib.h>

struct node {
    struct node *next;
    char *name;
};
static struct node *list;

int main(void) {
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        n->name = malloc(10);
        n->next = list;
        list = n;
    }
    return 0;
}
