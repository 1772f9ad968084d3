// The queue of Michael and Scott.  A node is hung behind the last one by a look and a store
// instead of a compare-and-swap: another one that came in between is lost.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: assertion at=BUG
#include "client.h"
#include <stdatomic.h>
#include <stddef.h>

enum { PRODUCERS = 2 };

typedef struct node node;
struct node {
    node *_Atomic next;
    int value;
};

static node nodes[PRODUCERS + 1]; // the last one is the first dummy
static node *_Atomic head = &nodes[PRODUCERS], *_Atomic tail = &nodes[PRODUCERS];
static _Atomic int taken;

static int hang_behind(node *last, node *item) {
    node *expected = NULL;
#ifdef CORRECT
    return atomic_compare_exchange_strong(&last->next, &expected, item);
#else
    if (last->next != expected)
        return 0;
    last->next = item;
    return 1;
#endif
}

static void enqueue(node *item) {
    for (;;) {
        node *last = tail, *after = last->next;
        if (last != tail)
            continue;
        if (after) {
            atomic_compare_exchange_strong(&tail, &last, after);
        } else if (hang_behind(last, item)) {
            atomic_compare_exchange_strong(&tail, &last, item);
            return;
        }
    }
}

static int dequeue(void) {
    for (;;) {
        node *first = head, *last = tail, *after = first->next;
        if (first != head)
            continue;
        if (!after)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, after);
        } else {
            int value = after->value;
            if (atomic_compare_exchange_strong(&head, &first, after))
                return value;
        }
    }
}

static void *produce(void *arg) {
    node *mine = &nodes[(intptr_t)arg];
    mine->value = 1 << (intptr_t)arg;
    enqueue(mine);
    return arg;
}

static void *consume(void *arg) {
    taken += dequeue();
    return arg;
}

int main(void) {
    pthread_t consumer;
    pthread_create(&consumer, NULL, consume, NULL);
    run_threads(PRODUCERS, produce);
    pthread_join(consumer, NULL);
    for (int value = dequeue(); value; value = dequeue())
        taken += value;
    assert(taken == (1 << PRODUCERS) - 1); // BUG
    return 0;
}
