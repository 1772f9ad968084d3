// A timed lock of a mutex that the thread itself holds, of every type: what each returns, with times that are
// valid and with those that are not.
// teasel: strategies=dfs,optimal
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static const struct row {
    int type, valid, invalid;
} rows[] = {
    {PTHREAD_MUTEX_NORMAL, ETIMEDOUT, EINVAL},
    {PTHREAD_MUTEX_ADAPTIVE_NP, ETIMEDOUT, EINVAL},
    {PTHREAD_MUTEX_RECURSIVE, 0, 0},
    {PTHREAD_MUTEX_ERRORCHECK, EDEADLK, EDEADLK},
};

static void check(const struct row *row) {
    pthread_mutexattr_t attr;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, row->type);
    pthread_mutex_init(&mutex, &attr);
    pthread_mutex_lock(&mutex);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    assert(pthread_mutex_timedlock(&mutex, &until) == row->valid);
    until.tv_nsec = 1000000000;
    assert(pthread_mutex_timedlock(&mutex, &until) == row->invalid);
    until.tv_nsec = -1;
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until) == row->invalid);
}

int main(void) {
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
    return 0;
}
