// stretch(N, M): N threads write x twice each, with M accesses to memory of their own before each
// write.  (2N)! / 2^N traces, whatever M is, so it shows what the length of a run costs.  No cell
// is accessed twice between two writes of x, so that every access is recorded in long runs, too.
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 3
#endif
#ifndef M
#define M 10
#endif

static _Atomic int x;
static char own[N][M]; // global, so that the accesses are recorded

static void *work(void *arg) {
    int me = number_of(arg);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < M; i++)
            own[me][i] = (char)i;
        atomic_store(&x, me + 1);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, work);
    join_threads(threads, N);
    return 0;
}
