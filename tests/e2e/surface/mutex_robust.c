// Robust mutexes: EOWNERDEAD, pthread_mutex_consistent, ENOTRECOVERABLE.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock;
static sem_t held;

static void *dies_holding(void *arg) {
    assert(pthread_mutex_lock(&lock) == 0);
    sem_post(&held);
    return arg;
}

static void make(void) {
    pthread_mutexattr_t attr;
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutex_init(&lock, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);
}

int main(void) {
    pthread_t thread;
    int err;
    sem_init(&held, 0, 0);

    // Waiting for a holder that dies: the lock comes, with the news.
    make();
    pthread_create(&thread, NULL, dies_holding, NULL);
    sem_wait(&held);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
    assert(pthread_mutex_consistent(&lock) == 0);
    assert(pthread_mutex_consistent(&lock) == EINVAL);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == 0); // mended
    assert(pthread_mutex_unlock(&lock) == 0);
    pthread_join(thread, NULL);

    // trylock gets the news too.
    pthread_create(&thread, NULL, dies_holding, NULL);
    sem_wait(&held);
    err = pthread_mutex_trylock(&lock);
    assert(err == EBUSY || err == EOWNERDEAD);
    pthread_join(thread, NULL);
    if (err == EBUSY)
        assert(pthread_mutex_trylock(&lock) == EOWNERDEAD);

    // Unlocked without being mended: lost for ever.
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&lock) == ENOTRECOVERABLE);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
