// parallel_pi(N): N threads sum a part of a series each, and add it to the total under one lock.
// N! traces.
#include "threads.h"

#ifndef N
#define N 3
#endif

enum { TERMS = 60 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;

static void *sum_part(void *arg) {
    double part = 0;
    for (int i = number_of(arg); i < TERMS; i += N)
        part += (i % 2 ? -4.0 : 4.0) / (2 * i + 1);
    pthread_mutex_lock(&lock);
    total += part;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    start_threads(threads, 0, N, sum_part);
    join_threads(threads, N);
    return total > 3.1 && total < 3.2 ? 0 : 1;
}
