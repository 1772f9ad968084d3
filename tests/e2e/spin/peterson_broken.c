// Peterson's algorithm with the two stores in the wrong order.
// teasel: strategies=optimal,dpor,dfs,random runs=300000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn, inside;

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    atomic_store(&turn, !me);
    atomic_store(&wants[me], 1);
    while (atomic_load(&wants[!me]) && atomic_load(&turn) == !me)
        ;
    int n = atomic_fetch_add(&inside, 1);
    assert(n == 0); // BUG
    atomic_fetch_sub(&inside, 1);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)1);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
