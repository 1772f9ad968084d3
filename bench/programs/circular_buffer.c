// circular_buffer(N): a sender and a receiver, N critical sections each under one mutex; each
// does its work only when it is its turn.  C(2N, N) traces.
#include "threads.h"

#ifndef N
#define N 7
#endif

enum { PLACES = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ring[PLACES], sent, received;

static void *send_all(void *arg) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (sent == received) {
            ring[sent % PLACES] = i;
            sent = sent + 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *receive_all(void *arg) {
    int last = -1;
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        if (sent != received) {
            last = ring[received % PLACES];
            received = received + 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return last < N ? arg : NULL;
}

int main(void) {
    pthread_t threads[2];
    start_threads(threads, 0, 1, send_all);
    start_threads(threads, 1, 2, receive_all);
    join_threads(threads, 2);
    return 0;
}
