// A volatile flag races like any other; the report says that it is volatile.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: race at=BUG ~ ^volatile (read|write) of `stop` by T. at .*, volatile (read|write) by T
// expect: races count=1
#include <pthread.h>
#include <stddef.h>

static volatile int stop;

static void *worker(void *arg) {
    if (stop) // BUG
        return NULL;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    stop = 1; // BUG
    pthread_join(a, NULL);
    return 0;
}
