// What is under control, and what is not: said once per campaign.
#ifndef TSLRT_CENSUS_H
#define TSLRT_CENSUS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/hooks.h"

void tslrt_census(void); // before the first run
// Something is not controlled.
void tslrt_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tslrt_say_at(uint32_t site, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// The program has behaviours that no schedule shows, so no search of it is complete.
void tslrt_weaken(enum tsl_reason reason, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void tslrt_weaken_at(uint32_t site, enum tsl_reason reason, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void tslrt_calls_uncontrolled(const tsl_extern *e, uint32_t site); // a row of abi/externs.def

bool tslrt_is_runtime(const void *function); // a function of the runtime
bool tslrt_is_of_libc(const void *function);

#endif
