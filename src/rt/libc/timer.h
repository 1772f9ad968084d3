// Timers of the program.
#ifndef TSLRT_LIBC_TIMER_H
#define TSLRT_LIBC_TIMER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define TSLRT_MAX_TIMERS 32
#define TSLRT_MAX_CLOCKS 16

typedef struct tslrt_clock {
    void *timer;
    int sig; // that it sends
} tslrt_clock;

union sigval;
typedef struct timer_slot {
    bool used, period;
    uint32_t setting; // how often it was set or deleted
    void (*notify)(union sigval);
    void *value;
    pthread_mutex_t lock;
} timer_slot;

// Which of these signals would timers send that go by the real clock?  And sends them at once.
uint64_t tslrt_timers_set(uint64_t signals);
void tslrt_timers_bring(uint64_t signals);
void tslrt_timers_stop(void);

#endif
