// How are paths exported as a C file that runs them again without Teasel?
//
// The file has tables of values, the functions with which programs ask for inputs, and a
// constructor that runs before the program's main.  Without TEASEL_PATH in the environment the
// constructor runs the program once per path, each in a process of its own, and prints TAP; with
// TEASEL_PATH the process runs that path.  ctest.c.in is all of the file but the tables.
#ifndef TSL_REPORT_CTEST_H
#define TSL_REPORT_CTEST_H

#include "trace/paths.h"

// `paths` has at least one path.
void tsl_ctest(const tsl_paths *paths, tsl_buf *out);

extern const char tsl_ctest_text[]; // ctest.c.in

#endif
