// Behind the two accesses everybody waits for ever: the race is shown all the same.
// teasel: strategies=optimal,source,dfs,random runs=1000 flags=--keep-going
// expect: race at=BUG_FIRST,BUG_SECOND
// expect: deadlock
// expect: complete on=optimal,source,dfs
// expect: replay same
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int x;

static void *first(void *arg) {
    x = 1; // BUG_FIRST
    sem_wait(&never);
    return arg;
}

static void *second(void *arg) {
    x = 3; // BUG_SECOND
    sem_wait(&never);
    return arg;
}

int main(void) {
    pthread_t a, b;
    sem_init(&never, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    sem_wait(&never);
    return 0;
}
