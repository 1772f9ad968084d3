// Counters that are raised by compare-and-swap, tried again until it works: both ways to write it.
// teasel: strategies=optimal,dpor,source,random runs=60000
// expect: clean on=random
// expect: complete on=optimal,dpor,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int loaded, handed;

static void *raise(void *arg) {
    (void)arg;
    int old;
    do
        old = atomic_load(&loaded);
    while (!atomic_compare_exchange_weak(&loaded, &old, old + 1));
    old = atomic_load(&handed);
    while (!atomic_compare_exchange_weak(&handed, &old, old + 1))
        ;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, raise, NULL);
    raise(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(loaded == 3 && handed == 3);
    return 0;
}
