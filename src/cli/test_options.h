// The options of `teasel test`.
#ifndef TSL_CLI_TEST_OPTIONS_H
#define TSL_CLI_TEST_OPTIONS_H

#include "cli/outside.h"
#include "model/claim.h"

enum { TSL_ANY_PREEMPTIONS = 1000000 };

typedef struct tsl_test_options {
    // The search.
    unsigned strategy;                   // index in tsl_strategies[]
    unsigned order, path_order, preempt; // indices of their names in the table
    uint64_t runs;                       // 0 means unlimited
    double seconds;                      // 0 means unlimited
    uint64_t seed, steps, preemptions, bug_depth, workers;
    double run_seconds;
    bool iterate, verify_traces, keep_going, spurious, fork;
    const char *require;
    tsl_requirement required; // what `require` says
    // Inputs.
    tsl_outside_options outside;
    uint64_t depth;
    double solver_seconds;
    const char *solver_log;
    bool solver_check;
    // What counts as a bug.
    bool overflow, leaks, fail_on_exit;
    // The program and its arguments.
    tsl_words words, args;
    const char *cflags, *via;
    // Output.
    const char *out, *json, *coverage;
    bool quiet, help;
} tsl_test_options;

static inline bool tsl_test_is_bounded(const tsl_test_options *o) {
    return o->iterate || o->preemptions != TSL_ANY_PREEMPTIONS;
}

// Parses and checks; false and a filled err if something is wrong.  Prints the help text if it is
// asked for.
bool tsl_test_options_parse(tsl_test_options *options, int argc, char **argv, tsl_err *err);

#endif
