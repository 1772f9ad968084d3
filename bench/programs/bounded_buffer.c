// bounded_buffer(N, M): one producer and one consumer of N items over a ring of M places, one
// lock and two condition variables.  (2, 1) has 8 traces.
#include "threads.h"

#ifndef N
#define N 2
#endif
#ifndef M
#define M 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t room = PTHREAD_COND_INITIALIZER, filled = PTHREAD_COND_INITIALIZER;
static int ring[M], used;

static void *produce(void *arg) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        while (used == M)
            pthread_cond_wait(&room, &lock);
        ring[i % M] = i + 1;
        used = used + 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consume(void *arg) {
    intptr_t in_order = 1;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        while (used == 0)
            pthread_cond_wait(&filled, &lock);
        in_order &= ring[i % M] == i + 1;
        used = used - 1;
        pthread_cond_signal(&room);
        pthread_mutex_unlock(&lock);
    }
    return in_order ? arg : NULL;
}

int main(void) {
    pthread_t threads[2];
    start_threads(threads, 0, 1, produce);
    start_threads(threads, 1, 2, consume);
    join_threads(threads, 2);
    return 0;
}
