// What the programs of bench/strategies share: main creates all threads, then joins all.
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include <pthread.h>
#include <stdint.h>

// Thread `first`, `first` + 1, ... up to `end` - 1 runs body(its number).
static inline void start_threads(pthread_t *threads, int first, int end, void *(*body)(void *)) {
    for (int i = first; i < end; i++)
        pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i);
}

static inline void join_threads(pthread_t *threads, int end) {
    for (int i = 0; i < end; i++)
        pthread_join(threads[i], NULL);
}

static inline int number_of(void *arg) { return (int)(intptr_t)arg; }

#endif
