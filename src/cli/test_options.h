// The options of teasel test.
#ifndef TSL_CLI_TEST_OPTIONS_H
#define TSL_CLI_TEST_OPTIONS_H

#include "base/opt.h"
#include "cli/outside.h"
#include "model/claim.h"

typedef struct tsl_test_options {
    unsigned strategy;
    unsigned order, path_order, preempt;
    uint64_t runs, seed, steps, preemptions, bug_depth, workers;
    double seconds, run_seconds;
    bool iterate, verify_traces;
    bool keep_going, leaks, fail_on_exit, spurious, fork, quiet, help, overflow, solver_check;
    uint64_t depth;
    double solver_seconds;
    const char *solver_log;
    const char *json, *coverage, *out, *cflags, *via, *require;
    tsl_requirement required; // as --require says
    tsl_outside_options outside;
    tsl_words words, args;
} tsl_test_options;

enum { TSL_ANY_PREEMPTIONS = 1000000 };

// False and a filled err if something about them is wrong.  Prints the help text if asked.
bool tsl_test_options_parse(tsl_test_options *options, int argc, char **argv, tsl_err *err);

#endif
