// The loop ends only if `a` is still old and `b` is new: the assertion behind it can be reached.
// teasel: strategies=optimal,dfs,dpor,source,raceflip,random runs=300000 flags=--keep-going
// expect: assertion at=BUG
// expect: livelock at=13 on=optimal,dfs,dpor,source,raceflip,random
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *waits(void *arg) {
    (void)arg;
    while (!(atomic_load(&a) == 0 && atomic_load(&b) == 1))
        ;
    assert(0); // BUG
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    atomic_store(&b, 1);
    atomic_store(&a, 1);
    pthread_join(t, NULL);
    return 0;
}
