// Compiling a single file, for `teasel test prog.c` and `teasel selfcheck prog.c`.
#ifndef TSL_CLI_COMPILE_H
#define TSL_CLI_COMPILE_H

#include "base/err.h"

// The path of a file in lib/teasel, which stands beside bin; free with tsl_free.
char *tsl_compile_support(const char *name);

bool tsl_compile_is_source(const char *path);

// Compiles to a program in `out_dir`; its path goes to *program (free with tsl_free).  The compiler
// itself prints what is wrong with the source.
bool tsl_compile(const char *source, const char *cflags, const char *out_dir, char **program,
                 tsl_err *err);

#endif
