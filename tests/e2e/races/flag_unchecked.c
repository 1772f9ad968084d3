// As flag.c, but the data is read whatever the flag says: both race.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: race at=BUG_FLAG ~ `ready`
// expect: race at=BUG_DATA ~ `data`
// expect: races count=2
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stddef.h>

static int data, ready;

static void *producer(void *arg) {
    data = 42; // BUG_DATA
    ready = 1; // BUG_FLAG
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, producer, NULL);
    int was = ready; // BUG_FLAG
    int seen = data; // BUG_DATA
    pthread_join(a, NULL);
    return was && seen != 42;
}
