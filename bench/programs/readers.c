// readers(N): one thread writes x, N threads read it once.  2^N traces.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 10
#endif

static _Atomic int x;

static void *write_it(void *arg) {
    atomic_store(&x, 1);
    return arg;
}

static void *read_it(void *arg) {
    (void)atomic_load(&x);
    return arg;
}

int main(void) {
    pthread_t threads[N + 1];
    start_threads(threads, 0, 1, write_it);
    start_threads(threads, 1, N + 1, read_it);
    join_threads(threads, N + 1);
    return 0;
}
