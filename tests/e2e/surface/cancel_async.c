// PTHREAD_CANCEL_ASYNCHRONOUS: a thread that makes no call at all can be cancelled.
// teasel: strategies=random runs=300
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t started;
static volatile unsigned long counter;
static int cleaned;

static void cleanup(void *arg) {
    (void)arg;
    cleaned = 1;
}

static void *worker(void *arg) {
    int old;
    pthread_cleanup_push(cleanup, NULL);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    sem_post(&started);
    for (;;)
        counter++;
    pthread_cleanup_pop(0);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value = NULL;
    sem_init(&started, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&started);
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &value) == 0);
    assert(value == PTHREAD_CANCELED);
    assert(cleaned == 1);
    return 0;
}
