// pthread_mutex_timedlock and clocklock: free, held, past, nonsense.
// teasel: strategies=random,dfs runs=500
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *other(void *arg) {
    struct timespec until, now, past = {1, 0};

    // Held by main all the time.
    assert(pthread_mutex_timedlock(&lock, &past) == ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    assert(pthread_mutex_timedlock(&lock, &until) == ETIMEDOUT);
    clock_gettime(CLOCK_REALTIME, &now); // and then that time has come
    assert(now.tv_sec > until.tv_sec ||
           (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
    clock_gettime(CLOCK_MONOTONIC, &until);
    assert(pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    until.tv_nsec = 1000000000;
    assert(pthread_mutex_timedlock(&lock, &until) == EINVAL);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec past = {1, 0};
    assert(pthread_mutex_timedlock(&lock, &past) == 0); // free: the time does not matter
    assert(pthread_mutex_timedlock(&checked, &past) == 0);
    assert(pthread_mutex_timedlock(&checked, &past) == EDEADLK);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &past) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&checked) == 0);
    return 0;
}
