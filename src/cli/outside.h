// Options that make inputs of what a program gets from outside.
#ifndef TSL_CLI_OUTSIDE_H
#define TSL_CLI_OUTSIDE_H

#include "base/opt.h"
#include "trace/outside.h"

typedef struct tsl_outside_options {
    const char *standard_input;
    // What they say, once they are understood.
    const char *stdin_path; // a file to read, or NULL
    tsl_outsides outside;
} tsl_outside_options; // all zero before they are parsed

#define TSL_OUTSIDE_OPTIONS(o)                                                                     \
    TSL_OPT_STRING("stdin", 0, "N|FILE", &(o)->standard_input,                                     \
                   "N bytes of standard input are an input; or a file that every run reads "       \
                   "(empty)")

bool tsl_outside_options_check(tsl_outside_options *o, tsl_err *err);
void tsl_outside_options_drop(tsl_outside_options *o);

#endif
