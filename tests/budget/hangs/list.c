// hangs: a list that is a ring
#include <stdlib.h>

typedef struct node {
    struct node *next;
    int value;
} node;

int main(void) {
    node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    first->next = second;
    second->next = first;
    first->value = second->value = 1;
    node *n = first;
    while (n->value != 2)
        n = n->next;
}
