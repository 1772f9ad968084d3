// What the locks of this folder share: threads that count inside the lock.
#ifndef LOCKFREE_CLIENT_H
#define LOCKFREE_CLIENT_H

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

// Behind a lock that works the counter needs no atomic: a race would be reported.  Behind one
// that does not, what is to be found is the lost addition.
#ifdef CORRECT
typedef int guarded;
#else
typedef _Atomic int guarded;
#endif

static inline void run_threads(int threads, void *(*body)(void *)) {
    pthread_t thread[8];
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, body, (void *)(intptr_t)i);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
}

#endif
