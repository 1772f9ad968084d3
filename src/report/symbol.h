// Names for addresses: functions and source lines for code, variables for data.
//
// libdw reads the program's and its libraries' files from disk; the program
// itself is not touched.  Without debug information there are still functions, without
// a symbol table still the file, and a missing file is no error.
#ifndef TSL_REPORT_SYMBOL_H
#define TSL_REPORT_SYMBOL_H

#include <stdbool.h>

#include "base/buf.h"
#include "trace/trace.h"

typedef struct tsl_symbols tsl_symbols;

// One function of a stack.  Strings live as long as the tsl_symbols.
typedef struct tsl_frame {
    const char *function; // NULL when unknown
    const char *file;     // NULL without debug information
    const char *module;   // path of the program or library; NULL when unknown
    int line, column;     // 0 when unknown
    uint64_t pc;
    uint64_t offset; // from the start of the function, or of the module without one
    bool inlined;    // into the next frame: they share one pc
} tsl_frame;

tsl_symbols *tsl_symbols_new(const tsl_mapped *mapped, size_t count);
void tsl_symbols_free(tsl_symbols *symbols); // NULL does no harm
// The time is up: addresses that nobody asked for so far stay numbers from here on.
void tsl_symbols_hurry(tsl_symbols *symbols);

// The frames at a return address, innermost first: functions inlined there, then the
// function itself.  The call is what is looked up, one byte before it returns to;
// for the address of an instruction itself pass pc + 1.
// At least 1 and at most max are filled.
size_t tsl_symbols_pc(tsl_symbols *symbols, uint64_t pc, tsl_frame *out, size_t max);

// Appends "`name`" for a variable, or its part: "`name.member[3]`" with debug
// information, "`name`+12" without; false if there is none at addr.
bool tsl_symbols_data(tsl_symbols *symbols, uint64_t addr, tsl_buf *out);

// The same for a function: where a thread started.
const char *tsl_symbols_function(tsl_symbols *symbols, uint64_t addr);

#endif
