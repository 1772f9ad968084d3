// A thread that still waits when main returns is no deadlock.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *worker(void *arg) {
    sem_wait(&never);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
