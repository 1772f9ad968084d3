// A join by the monotonic clock that gives up: its time has passed by that clock.
// teasel: strategies=dfs,optimal
// expect: clean
// expect: complete
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *wait(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    struct timespec until, now;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, wait, NULL);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    assert(pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > until.tv_sec ||
           (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
