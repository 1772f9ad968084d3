// Which values of environment variables does a call of libc read?
#ifndef TSLRT_LIBC_ENVIRONMENT_H
#define TSLRT_LIBC_ENVIRONMENT_H

#include "abi/libc.h"

// The nth of these values, or NULL.  All such calls read the names, too: see extern.c.
const char *tslrt_environment_value(const tsl_libc *row, const uint64_t *args, unsigned n);

#endif
