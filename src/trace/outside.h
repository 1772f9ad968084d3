// The list of inputs that a program gets from outside (abi/wire.h).
//
// Like the arguments, the list is part of how the program is started, so it belongs to the session
// and to a replay file.  The values of these inputs stand in the Plan, like those of all other
// inputs.
#ifndef TSL_TRACE_OUTSIDE_H
#define TSL_TRACE_OUTSIDE_H

#include "abi/wire.h"
#include "base/err.h"
#include "base/vec.h"

typedef struct tsl_outsides {
    TSL_VEC(tsl_outside) inputs; // at most TSL_MAX_OUTSIDE
    TSL_VEC(uint8_t) first;      // values for inputs that a Plan lacks; at most TSL_MAX_INPUT
} tsl_outsides;                  // all zero is none

void tsl_outsides_drop(tsl_outsides *o);
void tsl_outsides_copy(tsl_outsides *to, const tsl_outsides *from);

// Adds an input, if it makes sense beside the others; the name is copied.
bool tsl_outsides_add(tsl_outsides *o, enum tsl_outside_kind kind, uint32_t size, uint32_t place,
                      const char *name, tsl_err *err);
void tsl_outsides_set_first(tsl_outsides *o, const void *bytes, size_t size);

// "stdin", "file", "arg", "env"; NULL for numbers that are no kind.
const char *tsl_outside_kind_name(unsigned kind);
// Does an input of this kind have a name (or else a place)?
bool tsl_outside_is_named(unsigned kind);

#endif
