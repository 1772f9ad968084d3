// pthread_tryjoin_np, timedjoin_np, clockjoin_np.
// teasel: strategies=random,dfs runs=500
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <time.h>

static sem_t go;

static void *worker(void *arg) {
    sem_wait(&go);
    return arg;
}

static struct timespec in_ms(clockid_t clock, long ms) {
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

int main(void) {
    pthread_t thread;
    void *value = NULL;
    struct timespec until;
    int err;

    assert(sem_init(&go, 0, 0) == 0);

    // The thread waits for us: it can't have ended.
    assert(pthread_create(&thread, NULL, worker, (void *)5) == 0);
    assert(pthread_tryjoin_np(thread, &value) == EBUSY);
    until = in_ms(CLOCK_REALTIME, 2);
    assert(pthread_timedjoin_np(thread, &value, &until) == ETIMEDOUT);
    until = in_ms(CLOCK_MONOTONIC, 2);
    assert(pthread_clockjoin_np(thread, &value, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    assert(value == NULL);

    // Now it may, at any time.
    sem_post(&go);
    err = pthread_tryjoin_np(thread, &value);
    if (err == EBUSY) {
        until = in_ms(CLOCK_REALTIME, 10000);
        err = pthread_timedjoin_np(thread, &value, &until);
        if (err == ETIMEDOUT) // only without a real clock
            err = pthread_join(thread, &value);
    }
    assert(err == 0);
    assert((intptr_t)value == 5);
    return 0;
}
