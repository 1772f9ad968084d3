// writers(N): N threads write x once.  N! traces.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 5
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
    return 0;
}
