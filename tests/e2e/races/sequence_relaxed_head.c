// A relaxed store heads no release sequence, whatever follows it.
// teasel: strategies=optimal,source,dfs,random runs=3000 native=no
// expect: race at=BUG ordered=relaxed ~ `data`
// expect: races count=1
// expect: complete on=optimal,source
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int state;

static void *first(void *arg) {
    data = 42; // BUG
    atomic_store_explicit(&state, 1, memory_order_relaxed);
    return arg;
}

static void *second(void *arg) {
    int one = 1;
    atomic_compare_exchange_strong_explicit(&state, &one, 2, memory_order_release,
                                            memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    int seen = 0;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    if (atomic_load_explicit(&state, memory_order_acquire) == 2)
        seen = data; // BUG
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen != 0 && seen != 42;
}
