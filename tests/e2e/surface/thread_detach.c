// pthread_detach and threads created detached: they run, and can't be joined.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t go, done;

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&go);
    sem_post(&done);
    return NULL;
}

static void *detaches_itself(void *arg) {
    assert(pthread_detach(pthread_self()) == 0);
    sem_post((sem_t *)arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attr;

    assert(sem_init(&go, 0, 0) == 0);
    assert(sem_init(&done, 0, 0) == 0);

    assert(pthread_create(&thread, NULL, worker, NULL) == 0);
    assert(pthread_detach(thread) == 0);
    assert(pthread_join(thread, NULL) == EINVAL);
    assert(pthread_detach(thread) == EINVAL);
    sem_post(&go);
    sem_wait(&done);

    assert(pthread_attr_init(&attr) == 0);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_create(&thread, &attr, worker, NULL) == 0);
    assert(pthread_attr_destroy(&attr) == 0);
    assert(pthread_join(thread, NULL) == EINVAL);
    sem_post(&go);
    sem_wait(&done);

    assert(pthread_create(&thread, NULL, detaches_itself, &done) == 0);
    sem_wait(&done);
    return 0;
}
