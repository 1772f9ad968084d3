// Real time, for budgets and rates.  What is explored must not depend on it.
#ifndef TSL_BASE_CLOCK_H
#define TSL_BASE_CLOCK_H

double tsl_clock_now(void); // seconds since some fixed moment

#endif
