// binc(N): N threads add 1 to x, then to y, atomically, and do not look at the results.
// (N!)^2 traces, or 1 when such additions are known to commute.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
#endif

static _Atomic int x, y;

static void *add(void *arg) {
    atomic_fetch_add(&x, 1);
    atomic_fetch_add(&y, 1);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, add);
    join_threads(threads, N);
    return 0;
}
