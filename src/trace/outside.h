// Inputs that a program gets from outside: which there are (abi/wire.h).
//
// They belong to how a program is started, like its arguments, and so to the session and to a
// replay file; their values are those of a Plan, like all others.
#ifndef TSL_TRACE_OUTSIDE_H
#define TSL_TRACE_OUTSIDE_H

#include <stdbool.h>

#include "abi/wire.h"
#include "base/err.h"
#include "base/vec.h"

typedef struct tsl_outsides {
    TSL_VEC(tsl_outside) inputs; // at most TSL_MAX_OUTSIDE
    TSL_VEC(uint8_t) first;      // values of inputs that no Plan has; at most TSL_MAX_INPUT
} tsl_outsides;                  // all zero is none

void tsl_outsides_drop(tsl_outsides *o);
void tsl_outsides_copy(tsl_outsides *to, const tsl_outsides *from);

// Checks that it makes sense beside the others; the name is copied.
bool tsl_outsides_add(tsl_outsides *o, enum tsl_outside_kind kind, uint32_t size, uint32_t place,
                      const char *name, tsl_err *err);
void tsl_outsides_set_first(tsl_outsides *o, const void *bytes, size_t size);
bool tsl_outsides_has(const tsl_outsides *o, enum tsl_outside_kind kind);

// "stdin", "file", "arg", "env"; NULL beyond.
const char *tsl_outside_kind_name(unsigned kind);
// Whether it has a name, or a place.
bool tsl_outside_is_named(unsigned kind);

#endif
