// What `teasel test` leaves in its folder for `teasel report`.
//
// Files of each program, PROG.coverage and PROG.sampling, replaced by the next campaign on it.
#ifndef TSL_CLI_KEPT_H
#define TSL_CLI_KEPT_H

#include "base/err.h"
#include "base/opt.h"
#include "report/lcov.h"
#include "report/tally_file.h"

#define TSL_KEPT_COVERAGE ".coverage"
#define TSL_KEPT_SAMPLING ".sampling"

// Makes the folder if need be.
bool tsl_kept_write(const char *folder, const char *program, const char *ending,
                    const tsl_buf *text, tsl_err *err);

// Of the programs named, or of all there are, put together.
bool tsl_kept_read_coverage(const char *folder, const tsl_words *programs, tsl_lcov *lcov,
                            tsl_err *err);
// One after the other.  That nothing was sampled is refused: of one that is named, or of all.
bool tsl_kept_read_sampling(const char *folder, const tsl_words *programs,
                            tsl_sampled_programs *sampled, tsl_err *err);

#endif
