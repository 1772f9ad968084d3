// Compiling a single file, for `teasel test prog.c` and `teasel selfcheck prog.c`.
#ifndef TSL_CLI_COMPILE_H
#define TSL_CLI_COMPILE_H

#include "base/err.h"

// The path of a file beside this program, or in lib/teasel, which stands beside bin; free with
// tsl_free.
char *tsl_compile_beside(const char *name);
char *tsl_compile_support(const char *name);

// The path of the program that was given (free with tsl_free).  A source file is compiled to a
// program in `out_dir`; the compiler itself prints what is wrong with the source.  NULL: it failed.
char *tsl_compile(const char *given, const char *cflags, const char *out_dir, tsl_err *err);

#endif
