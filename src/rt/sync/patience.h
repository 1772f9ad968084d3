// What may still come from outside the process when no thread can run?
#ifndef TSLRT_SYNC_PATIENCE_H
#define TSLRT_SYNC_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tslrt_fiber tslrt_fiber;

// Of a run.
typedef struct tslrt_patience {
    volatile uint64_t arrived; // signals from outside that are not handed on yet
    volatile bool waits;       // no thread can run: signals wait in `arrived`
    unsigned moment;           // grows with each look at what comes from outside
    int timer;                 // a descriptor that some thread waits for then; -1: none
    uint64_t timer_ns;         // when the timer expires
} tslrt_patience;

// No thread can run, or `only` is to run and can't: waits for what may come from outside.
bool tslrt_await_outside(const tslrt_fiber *only);
bool tslrt_is_shared(const void *object); // with other processes
// No thread can run: does a thread wait for the world outside, or for an object that it shares with
// another process?
bool tslrt_waits_for_client(void);
bool tslrt_waits_for_process(void);

#endif
