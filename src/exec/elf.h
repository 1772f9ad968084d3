// What a file is, before anything is started: an instrumented program or not.
#ifndef TSL_EXEC_ELF_H
#define TSL_EXEC_ELF_H

#include <stdbool.h>

#include "base/err.h"

// Refuses, with one line that says what to do, what is no instrumented program of
// this version.  `build` gets the hex build id (empty if the program has none).
bool tsl_elf_check(const char *path, char build[129], tsl_err *err);

#endif
