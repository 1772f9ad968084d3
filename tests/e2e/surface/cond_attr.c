// pthread_condattr_*: clock and sharing; a condition on the monotonic clock.
// teasel: strategies=random,dfs runs=100
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void) {
    pthread_condattr_t attr;
    pthread_cond_t cond;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct timespec until, now;
    clockid_t clock;
    int n;

    assert(pthread_condattr_init(&attr) == 0);
    assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_REALTIME);
    assert(pthread_condattr_setclock(&attr, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_getpshared(&attr, &n) == 0 && n == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_condattr_setpshared(&attr, 99) == EINVAL);
    assert(pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_condattr_getpshared(&attr, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
    assert(pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_PRIVATE) == 0);
    assert(pthread_cond_init(&cond, &attr) == 0);
    assert(pthread_condattr_destroy(&attr) == 0);

    pthread_mutex_lock(&lock);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 2000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    assert(pthread_cond_timedwait(&cond, &lock, &until) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > until.tv_sec ||
           (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
    pthread_mutex_unlock(&lock);
    assert(pthread_cond_destroy(&cond) == 0);
    return 0;
}
