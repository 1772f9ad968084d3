// A request that was there before the call is acted upon, whatever the call would have found.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=1000000
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t asked, units;

static void *worker(void *arg) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sem_wait(&asked);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    sem_wait(&units);
    assert(0);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value;
    sem_init(&asked, 0, 0);
    sem_init(&units, 0, 1);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    sem_post(&asked);
    pthread_join(thread, &value);
    assert(value == PTHREAD_CANCELED);
    return 0;
}
