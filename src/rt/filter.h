// The filter of long runs, which leaves out repeated accesses.
#ifndef TSLRT_FILTER_H
#define TSLRT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#define TSLRT_MAX_FILTERS 63
#define TSLRT_FILTER_AFTER 32768 // steps of one thread

// Of a run.
typedef struct tslrt_filtering {
    bool on;    // a thread that has taken many steps leaves out repeated accesses
    uint32_t n; // tables in use
} tslrt_filtering;

// Of a thread.
typedef struct tslrt_repeats {
    uint32_t epoch; // grows at every synchronisation
    uint32_t table; // number of the thread's table of accesses; 0: the thread leaves out none
} tslrt_repeats;

void tslrt_filter_begin(void);
// So many steps were taken or decided, and the last one is the running thread's: starts its filter
// if it is time.
void tslrt_filter_look(int64_t steps);
// The running thread has a filter: is this access left out?
bool tslrt_filter_takes(uintptr_t a, unsigned kind, uint64_t size);
void tslrt_filter_reset(void);

#endif
