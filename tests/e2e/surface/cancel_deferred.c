// pthread_cancel, setcancelstate, setcanceltype, testcancel: deferred cancellation.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t started, cancelled;
static int reached;

static void *worker(void *arg) {
    int old;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcancelstate(99, &old) == EINVAL);
    assert(pthread_setcanceltype(99, &old) == EINVAL);

    sem_post(&started);
    sem_wait(&cancelled); // a cancellation point, but disabled
    pthread_testcancel(); // so is this one
    reached = 1;

    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0);
    assert(old == PTHREAD_CANCEL_DISABLE);
    reached = 2;          // enabling is not a cancellation point
    pthread_testcancel(); // this one is
    reached = 3;
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value = NULL;
    sem_init(&started, 0, 0);
    sem_init(&cancelled, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&started);
    assert(pthread_cancel(thread) == 0);
    sem_post(&cancelled);
    assert(pthread_join(thread, &value) == 0);
    assert(value == PTHREAD_CANCELED);
    assert(reached == 2);
    return 0;
}
