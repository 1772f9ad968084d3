// What a thread waits for at a condition variable, a futex or a barrier.
#ifndef TSLRT_SYNC_WAITING_H
#define TSLRT_SYNC_WAITING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

// Of a thread: the queue in which it waits.
typedef struct tslrt_waiting {
    pthread_cond_t *cond;   // the condition variable whose queue it is in, or NULL
    pthread_mutex_t *mutex; // that it takes again
    const void *futex;      // the word in whose queue it is, or NULL
    uint64_t ticket;        // waiters are woken in the order of their tickets
    bool signalled;         // it was taken out of the queue by a signal, not by a broadcast
    bool may_give_up;       // the wait has a time limit, or spurious wake-ups are on
    bool timed;             // its step is a timed wait for a semaphore
} tslrt_waiting;

// Of a thread: the round of a barrier in which it is.
typedef struct tslrt_arrival {
    void *at; // the barrier that it has arrived at
    uint32_t round;
    bool released;
    bool may_be_serial;  // no thread of its round has left yet
    bool ignores_serial; // the caller does not look at what pthread_barrier_wait returns
} tslrt_arrival;

#endif
