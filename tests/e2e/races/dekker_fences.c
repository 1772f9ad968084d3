// Dekker's entry with relaxed flags and sequentially consistent fences: at most one enters.
// teasel: strategies=optimal,source,dfs,random runs=5000 native=no
// expect: clean
// expect: complete on=optimal,source,dfs
// expect: reason ~ sc-only
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int inside;
static atomic_int wants[2];

static void enter(int self) {
    atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&wants[1 - self], memory_order_relaxed))
        inside++;
}

static void *other(void *arg) {
    enter(1);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, other, NULL);
    enter(0);
    pthread_join(a, NULL);
    return inside > 1;
}
