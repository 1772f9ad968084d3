// A thread may wait for a semaphore before it is made.
// teasel: strategies=optimal,source,dfs flags=--keep-going
// expect: misuse at=BUG ~ never initialised
// expect: complete
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *waits(void *arg) {
    sem_wait(&semaphore); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    sem_init(&semaphore, 0, 1);
    pthread_join(thread, NULL);
    return 0;
}
