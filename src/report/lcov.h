// Coverage as an lcov tracefile: what genhtml, editors and services read.
//
//     SF:/home/x/prog.c          of this file
//     FN:12,main                 a function and its line      FNDA:1,main    entered or not
//     FNF:1  FNH:1               how many, how many of them
//     BRDA:14,0,1,-              line, which branch of the line, which outcome, taken: - for
//     BRF:2  BRH:0               all outcomes of a branch that was never come to
//     DA:13,1                    a line, reached or not
//     LF:9  LH:7
//     end_of_record
//
// (geninfo(1) describes the format.)  Numbers are 1 or 0: how often is not known.
//
// `teasel test` keeps the same text under a line of its own, so that `teasel report` can put
// that of several programs together; what is read is checked to the last number.
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

// All zero is empty.  What is added for a file that is there already becomes one with it:
// reached is what was reached in either.
typedef struct tsl_lcov {
    TSL_VEC(tsl_lcov_file) files;
} tsl_lcov;

void tsl_lcov_drop(tsl_lcov *lcov);
void tsl_lcov_add(tsl_lcov *lcov, const tsl_coverage *coverage);

// The tracefile.
void tsl_lcov_format(tsl_lcov *lcov, tsl_buf *out);
bool tsl_lcov_write(const char *path, tsl_lcov *lcov, tsl_err *err);

// The file that is kept.
void tsl_lcov_keep(tsl_lcov *lcov, tsl_buf *out);
bool tsl_lcov_parse(const char *name, const char *text, size_t len, tsl_lcov *lcov, tsl_err *err);

#endif
