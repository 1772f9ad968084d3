// A lock-free stack; nodes are never reused, so there is no ABA problem.
#include "stack.h"
#include "config.h"

#include <stdatomic.h>
#include <stddef.h>

static _Atomic(struct node *) top;

void stack_push(struct node *n) {
    struct node *old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_weak(&top, &old, n));
}

struct node *stack_pop(void) {
    struct node *old = atomic_load(&top);
    while (old && !atomic_compare_exchange_weak(&top, &old, old->next))
        ;
    return old;
}
