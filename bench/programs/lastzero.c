// lastzero(N): thread i of 1..N sets a[i] = a[i-1] + 1; thread 0 scans down from a[N] to a zero.
// (N+3) * 2^(N-2) traces.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 10
#endif

static _Atomic int a[N + 1];

static void *scan(void *arg) {
    for (int i = N; atomic_load(&a[i]); i--)
        ;
    return arg;
}

static void *add_one(void *arg) {
    int i = number_of(arg);
    atomic_store(&a[i], atomic_load(&a[i - 1]) + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N + 1];
    start_threads(threads, 0, 1, scan);
    start_threads(threads, 1, N + 1, add_one);
    join_threads(threads, N + 1);
    return 0;
}
