// The worker says that it is done, and only then looks at its job for the last time.
// teasel: strategies=random,rapos,pct,pos,surw,portfolio,optimal runs=2000
// expect: use-after-free at=BUG
// expect: race ~ free
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

typedef struct {
    _Atomic int result;
    _Atomic int ended;
} job;

static sem_t finished;

static void *work(void *arg) {
    job *mine = arg;
    mine->result = 42;
#ifdef CORRECT
    mine->ended = 1;
    sem_post(&finished);
#else
    sem_post(&finished);
    mine->ended = 1; // BUG
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    job *given = calloc(1, sizeof *given);
    sem_init(&finished, 0, 0);
    pthread_create(&thread, NULL, work, given);
    sem_wait(&finished);
    int result = given->result;
    free(given);
    pthread_join(thread, NULL);
    sem_destroy(&finished);
    return result == 42 ? 0 : 1;
}
