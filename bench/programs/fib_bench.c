// fib_bench(N), as in SV-COMP: two threads do i += j and j += i N times; main reads both while they
// run.  1698 traces for N = 3, 19605 for 4, 218243 for 5.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 3
#endif

static _Atomic int i = 1, j = 1;

static void *add_to_i(void *arg) {
    for (int k = 0; k < N; k++) {
        int old = atomic_load(&i);
        atomic_store(&i, old + atomic_load(&j));
    }
    return arg;
}

static void *add_to_j(void *arg) {
    for (int k = 0; k < N; k++) {
        int old = atomic_load(&j);
        atomic_store(&j, old + atomic_load(&i));
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    start_threads(threads, 0, 1, add_to_i);
    start_threads(threads, 1, 2, add_to_j);
    (void)atomic_load(&i);
    (void)atomic_load(&j);
    join_threads(threads, 2);
    return 0;
}
