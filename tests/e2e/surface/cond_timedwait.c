// pthread_cond_timedwait and clockwait: both ends handled, time has come on a timeout,
// the mutex is held again in any case.
// teasel: strategies=random,dfs runs=1000
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signaller(void *arg) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return arg;
}

static int reached(clockid_t clock, const struct timespec *when) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec > when->tv_sec ||
           (now.tv_sec == when->tv_sec && now.tv_nsec >= when->tv_nsec);
}

int main(void) {
    pthread_t thread;
    struct timespec until, past = {1, 0}, bad = {0, 1000000000};
    int err = 0;

    // Nobody will signal.
    pthread_mutex_lock(&lock);
    assert(pthread_cond_timedwait(&cond, &lock, &past) == ETIMEDOUT);
    assert(pthread_cond_timedwait(&cond, &lock, &bad) == EINVAL);
    clock_gettime(CLOCK_REALTIME, &until);
    assert(pthread_cond_timedwait(&cond, &lock, &until) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &until);
    assert(pthread_cond_clockwait(&cond, &lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    pthread_mutex_unlock(&lock);

    // Somebody will, early or late.
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&lock);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 20;
    while (!ready && err == 0)
        err = pthread_cond_timedwait(&cond, &lock, &until);
    assert(err == 0 || err == ETIMEDOUT);
    assert(err == 0 || reached(CLOCK_REALTIME, &until));
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(ready);
    return 0;
}
