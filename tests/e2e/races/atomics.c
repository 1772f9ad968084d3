// Atomics do not race with each other, whatever their order; nor does a plain variable that release and acquire hand over.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: clean
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int counter, ready;
static int data;

static void *work(void *arg) {
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    data = 5;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t a;
    int seen = 5;
    pthread_create(&a, NULL, work, NULL);
    atomic_store(&counter, 3);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        seen = data;
    pthread_join(a, NULL);
    return seen != 5 || atomic_load(&counter) == 0;
}
