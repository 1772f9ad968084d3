// Coverage as an lcov tracefile, which genhtml, editors and services read.
//
//     SF:/home/x/prog.c          the file
//     FN:12,main                 a function and its line      FNDA:1,main    entered or not
//     FNF:1  FNH:1               number of functions, and of those that were entered
//     BRDA:14,0,1,-              line, branch of the line, outcome, taken or not; - for
//     BRF:2  BRH:0               outcomes of a branch that was never reached
//     DA:13,1                    a line, reached or not
//     LF:9  LH:7
//     end_of_record
//
// (geninfo(1) describes the format.)  Counts are 1 or 0, because how often is not known.
//
// `teasel test` keeps the same text after a line of its own, so that `teasel report` can unite that
// of several programs.  Every number that is read is checked.
#ifndef TSL_REPORT_LCOV_H
#define TSL_REPORT_LCOV_H

#include "base/buf.h"
#include "base/err.h"
#include "report/cover.h"

typedef struct tsl_lcov_function {
    char *name;
    uint32_t line;
    bool reached;
} tsl_lcov_function;

typedef struct tsl_lcov_line {
    uint32_t line;
    bool reached;
} tsl_lcov_line;

enum tsl_lcov_taken { TSL_LCOV_NEVER_THERE, TSL_LCOV_NOT_TAKEN, TSL_LCOV_TAKEN };

typedef struct tsl_lcov_outcome {
    uint32_t line, branch, outcome;
    enum tsl_lcov_taken taken;
} tsl_lcov_outcome;

typedef struct tsl_lcov_file {
    char *path;
    TSL_VEC(tsl_lcov_function) functions;
    TSL_VEC(tsl_lcov_line) lines;
    TSL_VEC(tsl_lcov_outcome) outcomes;
} tsl_lcov_file;

// All zero is empty.  Coverage that is added for a known file is united with what is there: a line
// is reached if it was reached in either.
typedef struct tsl_lcov {
    TSL_VEC(tsl_lcov_file) files;
} tsl_lcov;

void tsl_lcov_drop(tsl_lcov *lcov);
void tsl_lcov_add(tsl_lcov *lcov, const tsl_coverage *coverage);

// Writes the tracefile.
void tsl_lcov_format(tsl_lcov *lcov, tsl_buf *out);
bool tsl_lcov_write(const char *path, tsl_lcov *lcov, tsl_err *err);

// Writes and reads the file that `teasel test` keeps.
void tsl_lcov_keep(tsl_lcov *lcov, tsl_buf *out);
bool tsl_lcov_parse(const char *name, const char *text, size_t len, tsl_lcov *lcov, tsl_err *err);

#endif
