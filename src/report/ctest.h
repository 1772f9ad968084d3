// Paths as a C file that runs them again, without Teasel.
//
// The file has the values in tables, the functions that programs ask for inputs with, and a
// constructor that runs before the program's main: without TEASEL_PATH in the environment it runs
// the program once per path, each in a process of its own, and prints TAP; with it the
// process is that path.  All but the tables is ctest.c.in.
#ifndef TSL_REPORT_CTEST_H
#define TSL_REPORT_CTEST_H

#include "trace/paths.h"

// `paths` has at least one.
void tsl_ctest(const tsl_paths *paths, tsl_buf *out);

extern const char tsl_ctest_text[]; // ctest.c.in

#endif
