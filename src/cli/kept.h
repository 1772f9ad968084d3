// What `teasel test` leaves in its folder for `teasel report`.
//
// One file per program, PROG.coverage, replaced by the next campaign on it.
#ifndef TSL_CLI_KEPT_H
#define TSL_CLI_KEPT_H

#include "base/err.h"
#include "base/opt.h"
#include "report/lcov.h"

// The caller frees it.
char *tsl_kept_path(const char *folder, const char *program);

// Of the programs named, or of all there are, put together.
bool tsl_kept_read(const char *folder, const tsl_words *programs, tsl_lcov *lcov, tsl_err *err);

#endif
