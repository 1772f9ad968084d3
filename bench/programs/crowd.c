// crowd(N): N threads with one critical section each, all but three under a lock of their own.
// 6 traces, whatever N is, so it shows what many threads cost.
#include "threads.h"

#ifndef N
#define N 200
#endif

enum { MEET = 3 };

static pthread_mutex_t lock[N] = {[0 ... N - 1] = PTHREAD_MUTEX_INITIALIZER};
static int count[N];

static void *enter(void *arg) {
    int at = number_of(arg) < MEET ? 0 : number_of(arg);
    pthread_mutex_lock(&lock[at]);
    count[at] = count[at] + 1;
    pthread_mutex_unlock(&lock[at]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, enter);
    join_threads(threads, N);
    return 0;
}
