// The serial thread of a barrier can be the one that made the others.
// teasel: strategies=random,dfs runs=500
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

#ifndef SERIAL
#define SERIAL 1
#endif

static pthread_barrier_t barrier;

static void *worker(void *arg) {
    pthread_barrier_wait(&barrier);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, worker, NULL);
    int serial = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    assert(serial != SERIAL); // BUG
    pthread_join(thread, NULL);
    return 0;
}
