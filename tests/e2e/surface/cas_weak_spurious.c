// A weak compare-and-swap may fail for no reason, once in each place that asks; a strong one does not.
// teasel: strategies=optimal,source,dpor,dfs,random runs=3000 flags=--spurious native=no
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static int try_weak(void) {
    int zero = 0;
    return atomic_compare_exchange_weak(&value, &zero, 1);
}

static void *work(void *arg) {
    int zero = 0;
    atomic_compare_exchange_strong(&value, &zero, 0);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    if (!try_weak() && !try_weak())
        assert(!"failed twice"); // BUG
    pthread_join(a, NULL);
    return 0;
}
