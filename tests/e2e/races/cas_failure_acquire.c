// A compare-and-swap that fails acquires if its failure order does.
// teasel: strategies=optimal,source,dfs,random runs=2000 native=no
// expect: clean
// expect: complete on=optimal,source,dfs
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int ready;

static void *producer(void *arg) {
    data = 42; // BUG
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t a;
    int seen = 0, expected = 0;
    pthread_create(&a, NULL, producer, NULL);
    if (!atomic_compare_exchange_strong_explicit(&ready, &expected, 0, memory_order_acq_rel,
                                                 memory_order_acquire))
        seen = data; // BUG
    pthread_join(a, NULL);
    return seen != 0 && seen != 42;
}
