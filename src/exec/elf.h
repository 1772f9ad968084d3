// Is a file an instrumented program?  Checked before anything is started.
#ifndef TSL_EXEC_ELF_H
#define TSL_EXEC_ELF_H

#include "base/err.h"

// Refuses a file that is not an instrumented program of this version; `err` says what to do.
// `build` gets the build id in hex (empty if the program has none).
bool tsl_elf_check(const char *path, char build[129], tsl_err *err);

#endif
