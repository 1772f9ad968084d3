// Consume counts as acquire.
// teasel: strategies=optimal,source,dfs,random runs=2000 native=no
// expect: clean
// expect: complete on=optimal,source,dfs
// expect: reason ~ sc-only
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
    int seen = 0;
    pthread_create(&a, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_consume))
        seen = data; // BUG
    pthread_join(a, NULL);
    return seen != 0 && seen != 42;
}
