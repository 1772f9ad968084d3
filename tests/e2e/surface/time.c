// sched_yield, sleep, usleep, nanosleep, clock_nanosleep, clock_gettime, clock_getres, clock, time,
// gettimeofday, timespec_get: time moves forward, and a sleep takes at least as long as asked.
// teasel: strategies=random,dfs runs=100
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int64_t ns(clockid_t clock) {
    struct timespec t;
    assert(clock_gettime(clock, &t) == 0);
    assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void *sleeper(void *arg) {
    struct timespec t = {0, 2000000};
    nanosleep(&t, NULL);
    return arg;
}

int main(void) {
    struct timespec t, res;
    struct timeval tv;
    pthread_t thread;

    int64_t start = ns(CLOCK_MONOTONIC), real = ns(CLOCK_REALTIME), now;
    assert(sched_yield() == 0);
    assert(ns(CLOCK_MONOTONIC) >= start);

    assert(usleep(2000) == 0);
    now = ns(CLOCK_MONOTONIC);
    assert(now - start >= 2000000);

    t = (struct timespec){0, 3000000};
    assert(nanosleep(&t, NULL) == 0);
    assert(ns(CLOCK_MONOTONIC) - now >= 3000000);
    errno = 0;
    t.tv_nsec = 1000000000;
    assert(nanosleep(&t, NULL) == -1 && errno == EINVAL);

    now = ns(CLOCK_MONOTONIC);
    t = (struct timespec){0, 1000000};
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL) == 0);
    assert(ns(CLOCK_MONOTONIC) - now >= 1000000);
    now = ns(CLOCK_REALTIME) + 1000000;
    t = (struct timespec){now / 1000000000, now % 1000000000};
    assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL) == 0);
    assert(ns(CLOCK_REALTIME) >= now);
    t.tv_nsec = -1;
    assert(clock_nanosleep(CLOCK_REALTIME, 0, &t, NULL) == EINVAL);

    assert(clock_getres(CLOCK_MONOTONIC, &res) == 0 && res.tv_sec == 0 && res.tv_nsec > 0);
    errno = 0;
    assert(clock_gettime(99, &t) == -1 && errno == EINVAL);
    assert(ns(CLOCK_PROCESS_CPUTIME_ID) >= 0);
    assert(ns(CLOCK_THREAD_CPUTIME_ID) >= 0);
    assert(ns(CLOCK_BOOTTIME) >= 0);
    assert(ns(CLOCK_MONOTONIC_COARSE) >= 0);
    assert(clock() != (clock_t)-1);

    time_t seconds = time(NULL), stored = 0;
    assert(seconds >= real / 1000000000);
    assert(time(&stored) >= seconds && stored >= seconds);
    assert(gettimeofday(&tv, NULL) == 0);
    assert(tv.tv_sec >= seconds && tv.tv_usec >= 0 && tv.tv_usec < 1000000);
    assert(timespec_get(&t, TIME_UTC) == TIME_UTC && t.tv_sec >= seconds);

    now = ns(CLOCK_MONOTONIC);
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_join(thread, NULL);
    assert(ns(CLOCK_MONOTONIC) - now >= 2000000);
    return 0;
}
