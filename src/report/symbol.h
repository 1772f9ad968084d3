// Which function and line, or which variable, is at an address?
//
// libdw reads the files of the program and its libraries from disk; the running program is not
// touched.  Without debug information functions are still found, without a symbol table still the
// file; a missing file is not an error.
#ifndef TSL_REPORT_SYMBOL_H
#define TSL_REPORT_SYMBOL_H

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
    bool inlined;    // the function was inlined into that of the next frame, which has the same pc
} tsl_frame;

tsl_symbols *tsl_symbols_new(const tsl_mapped *mapped, size_t count);
void tsl_symbols_free(tsl_symbols *symbols); // may be NULL
// The time is up: from now on addresses that were not looked up before get no names.
void tsl_symbols_hurry(tsl_symbols *symbols);

// The frames at a return address, innermost first: functions inlined there, then the function
// itself.  The call is looked up, which ends one byte before `pc`; for the address of an
// instruction pass pc + 1.  Fills at least 1 and at most max frames.
size_t tsl_symbols_pc(tsl_symbols *symbols, uint64_t pc, tsl_frame *out, size_t max);

// Appends "`name`" for a variable, or for a part of it "`name.member[3]`" with debug information
// and "`name`+12" without; false if there is no variable at addr.
bool tsl_symbols_data(tsl_symbols *symbols, uint64_t addr, tsl_buf *out);

// The name of the function at addr, or NULL.
const char *tsl_symbols_function(tsl_symbols *symbols, uint64_t addr);

#endif
