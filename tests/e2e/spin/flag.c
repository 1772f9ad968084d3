// A thread waits for a flag, volatile or atomic, in three ways; data behind it must be there.
// teasel: strategies=optimal,dfs,dpor,dpor-cr-sleep,source,raceflip-opt,random runs=100000
// expect: clean on=random
// expect: complete on=optimal,dfs,dpor,dpor-cr-sleep,source,raceflip-opt
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int acquired, relaxed;
static int data;

static void *waits(void *arg) {
    (void)arg;
    while (!atomic_load_explicit(&acquired, memory_order_acquire))
        ;
    assert(data == 1);
    while (atomic_load_explicit(&relaxed, memory_order_relaxed) != 2)
        ;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    data = 1;
    atomic_store_explicit(&acquired, 1, memory_order_release);
    atomic_store_explicit(&relaxed, 1, memory_order_relaxed);
    atomic_store_explicit(&relaxed, 2, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
