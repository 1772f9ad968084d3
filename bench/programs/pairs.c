// pairs(N): N pairs of threads that share nothing with each other; one reads, one writes.
// 2^N traces.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static _Atomic int x[N];

static void *use(void *arg) {
    int i = number_of(arg);
    if (i % 2)
        atomic_store(&x[i / 2], 1);
    else
        (void)atomic_load(&x[i / 2]);
    return NULL;
}

int main(void) {
    pthread_t threads[2 * N];
    start_threads(threads, 0, 2 * N, use);
    join_threads(threads, 2 * N);
    return 0;
}
