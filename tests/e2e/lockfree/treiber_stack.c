// Treiber's stack, whose pop stores the new top without a compare-and-swap: two threads get the
// same node.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include "client.h"
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 2, EACH = 2 };

typedef struct node node;
struct node {
    node *next;
    _Atomic int times; // it was popped
};

static node *_Atomic top;
static node nodes[THREADS][EACH];

static void push(node *item) {
    node *old = top;
    do
        item->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, item));
}

static node *pop(void) {
    node *old = top;
#ifdef CORRECT
    while (old && !atomic_compare_exchange_strong(&top, &old, old->next))
        ;
#else
    if (old)
        top = old->next;
#endif
    return old;
}

static void *work(void *arg) {
    node *mine = nodes[(intptr_t)arg];
    for (int i = 0; i < EACH; i++)
        push(&mine[i]);
    node *got = pop();
    if (got) {
        int times = ++got->times;
        assert(times == 1); // BUG
    }
    return arg;
}

int main(void) {
    run_threads(THREADS, work);
    int left = 0;
    for (node *item = top; item; item = item->next)
        left++;
    assert(left == THREADS * EACH - THREADS); // BUG
    return 0;
}
