// sorted_list(N): inserts N input numbers into a sorted linked list, then looks for one more.
#include <stdlib.h>
#include <teasel.h>

#ifndef N
#define N 5
#endif

struct cell {
    int value;
    struct cell *next;
};

static void insert(struct cell **list, int value) {
    while (*list && (*list)->value < value)
        list = &(*list)->next;
    if (*list && (*list)->value == value)
        return;
    struct cell *cell = malloc(sizeof *cell);
    *cell = (struct cell){value, *list};
    *list = cell;
}

static int contains(const struct cell *list, int value) {
    while (list && list->value < value)
        list = list->next;
    return list && list->value == value;
}

int main(void) {
    int a[N], wanted;
    struct cell *list = NULL;
    TEASEL_INPUT(a);
    TEASEL_INPUT(wanted);
    for (int i = 0; i < N; i++)
        insert(&list, a[i]);
    int found = contains(list, wanted);
    for (const struct cell *c = list; c && c->next; c = c->next)
        TEASEL_ASSERT(c->value < c->next->value);
    return found;
}
