// Variables: the pieces of a program's inputs that its conditions speak of.
//
// An input is known by the thread that asked for it and by how many that thread had asked for
// before, so it is the same under every schedule.  A variable is some bytes of one; it
// keeps its number for the whole campaign, whatever runs come and go.
#ifndef TSL_EXPR_VAR_H
#define TSL_EXPR_VAR_H

#include "base/buf.h"
#include "expr/value.h"

typedef struct tsl_input {
    uint16_t thread;
    uint32_t index;
    // As the last run that had it said.
    uint8_t kind; // enum tsl_input_kind
    uint32_t size, element, site;
    char *name; // may be empty
} tsl_input;

typedef struct tsl_var {
    uint32_t input;  // number of it
    uint32_t offset; // in bytes
    uint32_t width;  // in bits
} tsl_var;

typedef struct tsl_vars {
    TSL_VEC(tsl_var) vars;
    TSL_VEC(tsl_input) inputs;
    uint32_t *index; // of both, open addressing
    size_t index_size;
} tsl_vars; // all zero is empty

void tsl_vars_drop(tsl_vars *vars);

// Numbers, dense from 0; a new one if it was not there.
uint32_t tsl_vars_input(tsl_vars *vars, uint16_t thread, uint32_t index);
uint32_t tsl_vars_intern(tsl_vars *vars, uint32_t input, uint32_t offset, uint32_t width);

// What is known of an input.  The name is copied; it comes from a stranger, so what can't be
// printed in one line is not kept.
void tsl_vars_describe(tsl_vars *vars, uint32_t input, const tsl_expr_object *object,
                       const char *name);

// "x", "buf[3]", "t2.x" of another thread than the first; "in0" if it has no name.
void tsl_var_print(const tsl_vars *vars, uint32_t var, tsl_buf *out);

#endif
