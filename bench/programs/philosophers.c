// philosophers(N): N forks; each thread takes its left, then its right one, once.
// 2^N - 1 traces, one of them a deadlock.
#include "threads.h"

#ifndef N
#define N 3
#endif

static pthread_mutex_t fork_of[N] = {[0 ... N - 1] = PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *arg) {
    int left = number_of(arg), right = (left + 1) % N;
    pthread_mutex_lock(&fork_of[left]);
    pthread_mutex_lock(&fork_of[right]);
    pthread_mutex_unlock(&fork_of[right]);
    pthread_mutex_unlock(&fork_of[left]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, dine);
    join_threads(threads, N);
    return 0;
}
