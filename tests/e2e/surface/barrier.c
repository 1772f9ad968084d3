// pthread_barrier_*: nobody passes early, one serial thread per round, used again.
// teasel: strategies=random,dfs runs=1000
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#define ROUNDS 3

static pthread_barrier_t barrier;
static _Atomic int arrived[ROUNDS], serial[ROUNDS];

static void *worker(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        arrived[i]++;
        int r = pthread_barrier_wait(&barrier);
        assert(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
        assert(arrived[i] == 2);
        if (r == PTHREAD_BARRIER_SERIAL_THREAD)
            serial[i]++;
    }
    return arg;
}

int main(void) {
    pthread_barrierattr_t attr;
    pthread_t thread;
    int n;
    assert(pthread_barrierattr_init(&attr) == 0);
    assert(pthread_barrierattr_getpshared(&attr, &n) == 0 && n == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_barrierattr_setpshared(&attr, 99) == EINVAL);
    assert(pthread_barrierattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrierattr_getpshared(&attr, &n) == 0 && n == PTHREAD_PROCESS_SHARED);
    assert(pthread_barrier_init(&barrier, &attr, 0) == EINVAL);
    assert(pthread_barrier_init(&barrier, &attr, 1) == 0);
    assert(pthread_barrierattr_destroy(&attr) == 0);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_barrier_destroy(&barrier) == 0);

    assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < ROUNDS; i++)
        assert(serial[i] == 1);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
