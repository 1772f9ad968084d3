// The same with two threads, every interleaving.
// teasel: strategies=dfs,dpor-cr,raceflip runs=1000000
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *raise(void *arg) {
    (void)arg;
    int old;
    do
        old = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &old, old + 1));
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, raise, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 2);
    return 0;
}
