// single_lock(N, M): N threads with M critical sections each, one lock, nothing else shared.
// (N*M)! / (M!)^N traces.
#include "threads.h"

#ifndef N
#define N 3
#endif
#ifndef M
#define M 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *enter(void *arg) {
    for (int i = 0; i < M; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, enter);
    join_threads(threads, N);
    return 0;
}
