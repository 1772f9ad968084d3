// ainc(N): N threads add 1 to x, atomically, and do not look at the result.  N! traces, or 1 when
// such additions are known to commute.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 6
#endif

static _Atomic int x;

static void *add(void *arg) {
    atomic_fetch_add(&x, 1);
    return arg;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, add);
    join_threads(threads, N);
    return 0;
}
