// No threads, no bug: one run says it all.
// teasel: strategies=dfs
// expect: complete
// expect: executions dfs=1
#include <assert.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = NULL;
    int sum = 0;
    for (int i = 0; i < 100; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *next = list->next;
        sum += list->value;
        free(list);
        list = next;
    }
    assert(sum == 4950);
    return 0;
}
