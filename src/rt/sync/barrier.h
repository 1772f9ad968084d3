// Barriers.
#ifndef TSLRT_SYNC_BARRIER_H
#define TSLRT_SYNC_BARRIER_H

#include <stdbool.h>
#include <stdint.h>

// Of a thread.
typedef struct tslrt_arrival {
    void *at; // the barrier that it has arrived at
    uint32_t round;
    bool released;
    bool may_be_serial;  // no thread of its round has left yet
    bool ignores_serial; // the caller does not look at what pthread_barrier_wait returns
} tslrt_arrival;

#endif
