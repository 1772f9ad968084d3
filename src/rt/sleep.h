// Sleep sets.
#ifndef TSLRT_SLEEP_H
#define TSLRT_SLEEP_H

#include "abi/wire.h"

// Of a run.
typedef struct tslrt_sleep_set {
    const tsl_event *set;     // the Plan's
    const tsl_event *checked; // sleepers have seen the events up to here
} tslrt_sleep_set;

// Of a thread.
typedef struct tslrt_asleep {
    const tsl_event *before; // the step of the Plan's sleep set; NULL: the thread is awake
    uint16_t arrived;        // threads at the barrier that it will arrive at, while it sleeps
} tslrt_asleep;

void tslrt_sleep_begin(void);  // the prefix is used up: its last step is the first to wake a thread
void tslrt_sleep_update(void); // wakes the threads that the steps since then wake

#endif
