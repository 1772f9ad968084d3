// Which part of a variable is at an address: "`queue.head`", "`slot[3].busy`"?
//
// Debug information has the address and the type of every global variable.  The table of a module's
// variables is made when a part of one is first asked for: the debug information of libc is large
// and compressed, and a report seldom needs it.
//
// Only for symbol.c; other files use tsl_symbols_data.
#ifndef TSL_REPORT_VARIABLE_H
#define TSL_REPORT_VARIABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"

typedef struct tsl_variable {
    uint64_t addr, size; // in the program's memory
    Dwarf_Die die;
} tsl_variable;

typedef struct tsl_variables {
    TSL_VEC(Dwfl_Module *) loaded; // the modules whose variables are in `all`
    TSL_VEC(tsl_variable) all;     // sorted by address
} tsl_variables;

void tsl_variables_drop(tsl_variables *variables);

// Appends the part of a variable of `module` at addr; false if no variable with a type is there.
bool tsl_variables_part(tsl_variables *variables, Dwfl_Module *module, uint64_t addr, tsl_buf *out);

#endif
