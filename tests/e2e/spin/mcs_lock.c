// The queue lock of Mellor-Crummey and Scott: everybody spins on a node of its own.
// teasel: strategies=optimal,source,random runs=200000
// expect: clean on=random
// expect: complete on=optimal,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef struct node {
    _Atomic(struct node *) next;
    atomic_int locked;
} node;

static _Atomic(node *) tail;
static int count;

static void lock(node *me) {
    atomic_store(&me->next, NULL);
    atomic_store(&me->locked, 1);
    node *before = atomic_exchange(&tail, me);
    if (!before)
        return;
    atomic_store(&before->next, me);
    while (atomic_load(&me->locked))
        ;
}

static void unlock(node *me) {
    node *next = atomic_load(&me->next), *expected = me;
    if (!next) {
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (!(next = atomic_load(&me->next)))
            ;
    }
    atomic_store(&next->locked, 0);
}

static void *work(void *arg) {
    (void)arg;
    node mine;
    lock(&mine);
    count++;
    unlock(&mine);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(count == 2);
    return 0;
}
