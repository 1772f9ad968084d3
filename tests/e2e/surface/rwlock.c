// pthread_rwlock_*: readers share, writers exclude, error returns, timed forms, attributes.
// teasel: strategies=random,dfs runs=500
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t fixed = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t lock;

// While main reads.
static void *second_reader(void *arg) {
    struct timespec past = {1, 0};
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_timedrdlock(&lock, &past) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == 0);
    for (int i = 0; i < 4; i++)
        assert(pthread_rwlock_unlock(&lock) == 0);
    return arg;
}

// While main writes.
static void *shut_out(void *arg) {
    struct timespec past = {1, 0}, bad = {0, -1};
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&lock, &past) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    assert(pthread_rwlock_timedrdlock(&lock, &bad) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&lock, &bad) == EINVAL);
    return arg;
}

static void meanwhile(void *(*body)(void *)) {
    pthread_t thread;
    assert(pthread_create(&thread, NULL, body, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);
}

int main(void) {
    pthread_rwlockattr_t attr;
    struct timespec past = {1, 0};
    int n;

    assert(pthread_rwlockattr_init(&attr) == 0);
    assert(pthread_rwlockattr_getpshared(&attr, &n) == 0 && n == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_rwlockattr_setpshared(&attr, 99) == EINVAL);
    assert(pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_getpshared(&attr, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
    assert(pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
    assert(pthread_rwlockattr_getkind_np(&attr, &n) == 0);
    assert(n == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    assert(pthread_rwlockattr_setkind_np(&attr, 99) == EINVAL);
    assert(pthread_rwlock_init(&lock, &attr) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
    assert(pthread_rwlockattr_destroy(&attr) == 0);
    assert(pthread_rwlock_init(&lock, NULL) == 0);

    assert(pthread_rwlock_rdlock(&lock) == 0);
    meanwhile(second_reader);
    assert(pthread_rwlock_unlock(&lock) == 0);

    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    meanwhile(shut_out);
    assert(pthread_rwlock_unlock(&lock) == 0);

    assert(pthread_rwlock_trywrlock(&lock) == 0);
    meanwhile(shut_out);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &past) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);

    assert(pthread_rwlock_rdlock(&fixed) == 0);
    assert(pthread_rwlock_unlock(&fixed) == 0);
    assert(pthread_rwlock_destroy(&fixed) == 0);
    return 0;
}
