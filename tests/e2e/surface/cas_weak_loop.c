// A loop around a weak compare-and-swap comes to its end however often it fails for no reason; the
// search does not go round and round.
// teasel: strategies=optimal,source,dfs,random runs=3000 flags=--spurious native=no
// expect: clean
// expect: complete on=optimal,source,dfs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void *add(void *arg) {
    int old = atomic_load_explicit(&value, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&value, &old, old + 1, memory_order_acq_rel,
                                                  memory_order_relaxed))
        ;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, add, NULL);
    add(NULL);
    pthread_join(a, NULL);
    assert(atomic_load(&value) == 2);
    return 0;
}
