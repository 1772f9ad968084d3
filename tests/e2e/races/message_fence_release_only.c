// A release fence, but nothing that acquires.
// teasel: strategies=optimal,source,dfs,random runs=2000 native=no
// expect: race at=BUG ordered=relaxed mixed=no chain=BUG_CHAIN ~ `data`
// expect: races count=1
// expect: complete on=optimal,source,dfs
// expect: reason ~ sc-only
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int ready;

static void *producer(void *arg) {
    data = 42; // BUG
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed); // BUG_CHAIN
    return arg;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, NULL, producer, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) // BUG_CHAIN
        seen = data;                                        // BUG
    pthread_join(a, NULL);
    return seen != 0 && seen != 42;
}
