// A thread that polls when main returns is no livelock: the program ends.
// teasel: strategies=optimal,dfs,dpor,random runs=1000
// expect: clean
// expect: complete on=optimal,dfs,dpor
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int stop, seen;

static void *serves(void *arg) {
    (void)arg;
    while (!atomic_load(&stop))
        usleep(10);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, serves, NULL);
    atomic_store(&seen, 1);
    return 0;
}
