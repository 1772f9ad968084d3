// Options that make inputs of what a program reads from outside.
#ifndef TSL_CLI_OUTSIDE_H
#define TSL_CLI_OUTSIDE_H

#include "base/opt.h"
#include "trace/outside.h"

typedef struct tsl_outside_options {
    const char *standard_input, *argv, *first;
    tsl_words files, env;
    // Set by tsl_outside_options_check.
    const char *stdin_path; // a file that every run reads, or NULL
    tsl_outsides outside;
    tsl_texts words;   // of --argv
} tsl_outside_options; // all zero before they are parsed

#define TSL_OUTSIDE_OPTIONS(o)                                                                     \
    TSL_OPT_STRING("stdin", 0, "N|FILE", &(o)->standard_input,                                     \
                   "N bytes of standard input are an input; or a file that every run reads "       \
                   "(empty)"),                                                                     \
        TSL_OPT_STRING("argv", 0, "SPEC", &(o)->argv,                                              \
                       "arguments of the program, separated by blanks, in which @N stands "        \
                       "for up to N characters that are an input"),                                \
        TSL_OPT_LIST("file", 0, "NAME=N", &(o)->files,                                             \
                     "this file has N bytes that are an input, whenever it is opened for "         \
                     "reading"),                                                                   \
        TSL_OPT_LIST("env", 0, "NAME=N", &(o)->env,                                                \
                     "up to N characters of this environment variable are an input"),              \
        TSL_OPT_STRING("seed-input", 0, "FILE", &(o)->first,                                       \
                       "first values of inputs: of standard input if that is one, else of all "    \
                       "that the first thread asks for (random by --seed)")

// `args` holds the words after `--`.  The words of --argv are added there.
bool tsl_outside_options_check(tsl_outside_options *o, tsl_words *args, tsl_err *err);
void tsl_outside_options_drop(tsl_outside_options *o);

#endif
