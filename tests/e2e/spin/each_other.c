// Two threads wait for each other.
// teasel: strategies=optimal,dfs,dpor,source,random runs=1000
// expect: livelock at=BUG
// expect: message ~ `ready
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int ready[2];

static void *work(void *arg) {
    int me = (int)(intptr_t)arg;
    while (!atomic_load(&ready[!me])) // BUG
        ;
    atomic_store(&ready[me], 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)1);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
