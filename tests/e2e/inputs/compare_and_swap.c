// Inputs decide whether a compare-and-swap stores.
// teasel: strategies=optimal,source,dpor-cr-sleep,raceflip,raceflip-opt,dfs flags=--solver-check runs=20000
// expect: complete
// expect: traces count=8
// expect: mispredicted count=0
#include <pthread.h>
#include <stdatomic.h>
#include <teasel.h>

static atomic_int word;

static void *reader(void *arg) {
    (void)atomic_load(&word);
    return arg;
}

int main(void) {
    pthread_t a, b;
    int x;
    TEASEL_INPUT(x);
    atomic_store(&word, x);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    int expected = 1;
    atomic_compare_exchange_strong(&word, &expected, 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
