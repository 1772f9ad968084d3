// Without --spurious a weak compare-and-swap fails only if the value is another one.
// teasel: strategies=optimal,dfs,random runs=1000 native=no
// expect: clean
// expect: complete on=optimal,dfs
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value;

static void *work(void *arg) {
    int zero = 0;
    atomic_compare_exchange_strong(&value, &zero, 0);
    return arg;
}

int main(void) {
    pthread_t a;
    int zero = 0;
    pthread_create(&a, NULL, work, NULL);
    assert(atomic_compare_exchange_weak(&value, &zero, 1));
    pthread_join(a, NULL);
    return 0;
}
