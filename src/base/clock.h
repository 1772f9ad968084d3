// Real time, for budgets and rates.  What is explored must not depend on it.
#ifndef TSL_BASE_CLOCK_H
#define TSL_BASE_CLOCK_H

#include <time.h>

// Seconds since some fixed moment.
static inline double tsl_clock_now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

#endif
