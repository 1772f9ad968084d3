// What `teasel test` leaves in its folder for `teasel report`.
//
// Each program has two files, PROG.coverage and PROG.sampling.  The next campaign replaces them.
#ifndef TSL_CLI_KEPT_H
#define TSL_CLI_KEPT_H

#include "base/opt.h"
#include "report/lcov.h"
#include "report/tally_file.h"

#define TSL_KEPT_COVERAGE ".coverage"
#define TSL_KEPT_SAMPLING ".sampling"

// Makes the folder if it does not exist, and drops the text.
bool tsl_kept_write(const char *folder, const char *program, const char *ending, tsl_buf *text,
                    tsl_err *err);

// Adds up the coverage of these programs, or of all programs in the folder if the list is empty.
bool tsl_kept_read_coverage(const char *folder, const tsl_words *programs, tsl_lcov *lcov,
                            tsl_err *err);
// Reads the samples of each of these programs, or of all.  It is an error if a program that is in
// the list, or every program, was not sampled.
bool tsl_kept_read_sampling(const char *folder, const tsl_words *programs,
                            tsl_sampled_programs *sampled, tsl_err *err);

#endif
