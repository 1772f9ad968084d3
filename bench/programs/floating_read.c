// floating_read(N): N threads write x once, and one thread reads it somewhere between the writes.
// (N+1)! traces, though only N+1 of them differ in what is read.
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

static void *read_it(void *arg) {
    (void)atomic_load(&x);
    return arg;
}

int main(void) {
    pthread_t threads[N + 1];
    start_threads(threads, 0, N, write_it);
    start_threads(threads, N, N + 1, read_it);
    join_threads(threads, N + 1);
    return 0;
}
