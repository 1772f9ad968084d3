// Peterson's mutual exclusion, with loops that spin.
// teasel: strategies=optimal,dpor,source,random runs=300000
// expect: clean on=random
// expect: complete on=optimal,dpor,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int count;

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    atomic_store(&wants[me], 1);
#ifdef BROKEN
    (void)turn;
    while (!me && atomic_load(&wants[!me]))
        ;
#else
    atomic_store(&turn, !me);
    while (atomic_load(&wants[!me]) && atomic_load(&turn) == !me)
        ;
#endif
    int old = count;
    count = old + 1;
    assert(count == old + 1);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)1);
    work(NULL);
    pthread_join(t, NULL);
    assert(count == 2);
    return 0;
}
