// The queue lock of Mellor-Crummey and Scott.  Who sees nobody behind empties the queue without
// a compare-and-swap: who came in between waits for ever.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000 flags=--steps,2000,--seconds,5
// expect: livelock at=BUG
#include "client.h"
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 2 };

typedef struct node node;
struct node {
    node *_Atomic next;
    _Atomic int waiting;
};

static node *_Atomic tail;
static node own[THREADS];
static int counter;

static void lock(node *me) {
    me->next = NULL;
    me->waiting = 1;
    node *before = atomic_exchange(&tail, me);
    if (before) {
        before->next = me;
        while (me->waiting) // BUG
            ;
    }
}

static void unlock(node *me) {
    if (!me->next) {
#ifdef CORRECT
        node *expected = me;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (!me->next)
            ;
#else
        tail = NULL;
        return;
#endif
    }
    me->next->waiting = 0;
}

static void *work(void *arg) {
    node *me = &own[(intptr_t)arg];
    lock(me);
    counter++;
    unlock(me);
    return arg;
}

int main(void) {
    run_threads(THREADS, work);
    assert(counter == THREADS);
    return 0;
}
