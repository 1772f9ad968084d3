// Virtual time: every thread has a clock of its own.
#ifndef TSLRT_LIBC_TIME_H
#define TSLRT_LIBC_TIME_H

#include <stdint.h>

struct timespec;
void tslrt_clock_reached(int clock, const struct timespec *until); // the running thread timed out
uint64_t tslrt_clock_look(void);
void tslrt_clock_pass(uint64_t ns);
void tslrt_sleep_step(uint32_t site); // the running thread has slept

#endif
