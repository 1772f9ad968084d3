// Which texts of the environment does a call of libc read the values of?
#ifndef TSLRT_ENVIRONMENT_H
#define TSLRT_ENVIRONMENT_H

#include "ranges.h"

// Number n of them, or NULL.  Names are read by all that look at the environment: see extern.c.
const char *tslrt_environment_value(const tsl_libc *row, const uint64_t *args, unsigned n);

#endif
