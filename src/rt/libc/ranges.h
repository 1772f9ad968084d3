// How many bytes does a call of libc read or write?
//
// Depends only on the arguments, the result and memory, not on the runtime.  tests/libc builds it
// into programs of its own and compares it with what the real functions do.
#ifndef TSLRT_RANGES_H
#define TSLRT_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/libc.h"

// Numbers of the rows.
enum tsl_libc_row {
#define TSL_LIBC(name, by, class_, ok, flags, uses, ranges) TSL_ROW_##name,
#include "abi/libc.def"
#undef TSL_LIBC
};

extern const tsl_libc tsl_libc_rows[];

// The row of a function, or NULL.  Other names of a function (__isoc99_sscanf, fgets_unlocked,
// lseek64) lead to the same row.
const tsl_libc *tsl_libc_find(const char *name);

// Where a range begins, or NULL if there is none.  `result` has a meaning only after the call.
const void *tsl_libc_place(const tsl_libc_range *range, const uint64_t *args, uint64_t result);
uint64_t tsl_libc_length(const tsl_libc_range *range, const void *at, const uint64_t *args,
                         uint64_t result);
// Has the call succeeded, so that its writes have happened?
bool tsl_libc_succeeded(const tsl_libc *row, uint64_t result);
bool tsl_libc_writes(const tsl_libc *row);
bool tsl_libc_uses(const tsl_libc *row, unsigned state);
bool tsl_libc_names_file(const tsl_libc *row);
bool tsl_libc_reads_seconds(const char *format);

#endif
