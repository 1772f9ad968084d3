// Real time, for budgets and rates.  Nothing that is explored may depend on it.
#ifndef TSL_BASE_CLOCK_H
#define TSL_BASE_CLOCK_H

double tsl_clock_now(void); // seconds since some fixed moment

#endif
