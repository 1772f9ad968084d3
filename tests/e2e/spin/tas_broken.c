// A lock that looks and then takes: two can have it.
// teasel: strategies=optimal,dfs,dpor,random runs=20000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int l, inside;

static void *work(void *arg) {
    (void)arg;
    while (atomic_load(&l))
        ;
    atomic_store(&l, 1);
    int n = atomic_fetch_add(&inside, 1);
    assert(n == 0); // BUG
    atomic_fetch_sub(&inside, 1);
    atomic_store(&l, 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
