// Variables: the pieces of a program's inputs that conditions depend on.
//
// An input is identified by the thread that asked for it and by the number of inputs that this
// thread had asked for before, so it is the same under every schedule.  A variable is some bytes of
// an input.  It keeps its number for the whole campaign.
#ifndef TSL_EXPR_VAR_H
#define TSL_EXPR_VAR_H

#include "base/buf.h"
#include "base/map.h"
#include "expr/value.h"

typedef struct tsl_input {
    uint16_t thread;
    uint32_t index;
    // The rest is as described by the last run that had this input.
    uint8_t kind; // enum tsl_input_kind
    uint32_t size, element, site;
    char *name; // may be empty
} tsl_input;

typedef struct tsl_var {
    uint32_t input;  // number of the input
    uint32_t offset; // in bytes
    uint32_t width;  // in bits
    uint32_t before; // number + 1 of an earlier variable at the same place; 0: none
} tsl_var;

typedef struct tsl_vars {
    TSL_VEC(tsl_var) vars;
    TSL_VEC(tsl_input) inputs;
    tsl_map by_asking; // by thread and index: number of the input + 1
    tsl_map by_place;  // by input and offset: number of the last variable there + 1
} tsl_vars;            // all zero is empty

void tsl_vars_drop(tsl_vars *vars);

// The number of an input or variable, dense from 0; a new number if it is not known yet.
uint32_t tsl_vars_input(tsl_vars *vars, uint16_t thread, uint32_t index);
uint32_t tsl_vars_intern(tsl_vars *vars, uint32_t input, uint32_t offset, uint32_t width);

// Notes the properties of an input.  The name is copied.  It comes from the program, so characters
// that can't be printed become '?', and long names are cut off.
void tsl_vars_describe(tsl_vars *vars, uint32_t input, const tsl_expr_object *object,
                       const char *name);

// Prints "x", "buf[3]", "t2.x" for an input of a thread other than 0, or "in0" if it has no name.
void tsl_var_print(const tsl_vars *vars, uint32_t var, tsl_buf *out);

#endif
