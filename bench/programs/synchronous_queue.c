// synchronous_queue(N, M): N putters and N takers of M items each; a put returns when its item
// has been taken.  (1, 2) has 6 traces.
#include "threads.h"

#ifndef N
#define N 1
#endif
#ifndef M
#define M 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;   // no item is offered
static pthread_cond_t offered = PTHREAD_COND_INITIALIZER; // an item is offered
static pthread_cond_t handed = PTHREAD_COND_INITIALIZER;  // an item was taken
static int item, taken;

static void *put_items(void *arg) {
    for (int k = 0; k < M; k++) {
        pthread_mutex_lock(&lock);
        while (item)
            pthread_cond_wait(&empty, &lock);
        item = 1 + number_of(arg) * M + k;
        pthread_cond_signal(&offered);
        int before = taken;
        while (taken == before)
            pthread_cond_wait(&handed, &lock);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *take_items(void *arg) {
    for (int k = 0; k < M; k++) {
        pthread_mutex_lock(&lock);
        while (!item)
            pthread_cond_wait(&offered, &lock);
        item = 0;
        taken = taken + 1;
        pthread_cond_broadcast(&handed);
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t threads[2 * N];
    start_threads(threads, 0, N, put_items);
    start_threads(threads, N, 2 * N, take_items);
    join_threads(threads, 2 * N);
    return 0;
}
