// lastwrite(N): N threads write x once, and main reads which write came last.  N! traces, though
// only N of them differ in what is read.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 7
#endif

static _Atomic int x;

static void *write_it(void *arg) {
    atomic_store(&x, number_of(arg) + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, write_it);
    join_threads(threads, N);
    return atomic_load(&x) ? 0 : 1;
}
