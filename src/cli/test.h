// What the files of `teasel test` share.
//
//     test.c           the command
//     test_options.c   its options
//     test_campaign.c  the campaign, and what is done with each run
//     test_status.c    the status line
//     test_bugs.c      what happens to bugs
//     test_files.c     files that are left
//     test_output.c    what is printed, and the exit code
#ifndef TSL_CLI_TEST_H
#define TSL_CLI_TEST_H

#include "cli/session.h"
#include "cli/test_options.h"
#include "explore/suspects.h"
#include "report/summary.h"
#include "trace/paths.h"

typedef struct tsl_status {
    bool is_quiet, is_terminal;
    double last; // when it was written last
} tsl_status;

typedef struct tsl_test {
    const tsl_test_options *set;
    tsl_session session;
    tsl_search search;
    const tsl_strategy_kind *kind;
    tsl_campaign campaign; // the last one; its strategy is kept until the end
    tsl_claim claim;
    tsl_counts counts;
    tsl_exits exits;
    tsl_suspects suspects;
    tsl_bugs bugs;
    tsl_paths paths;     // for teasel export
    tsl_census census;   // as it was printed before the search
    tsl_err write_error; // a replay could not be saved
    tsl_err log_error;   // a question to the solver could not be logged
    tsl_status status;
} tsl_test;

// Searches until the strategy, the budget or a bug ends the search.
bool tsl_test_explore(tsl_test *test, tsl_err *err);
void tsl_test_free_strategy(tsl_test *test);

void tsl_status_show(tsl_status *status, const tsl_test *test);
void tsl_status_clear(const tsl_status *status);

// A run of the campaign failed.
void tsl_test_keep_bug(tsl_test *test, const tsl_run *run);
// After the search: confirms races, makes schedules shorter, prints reports.
bool tsl_test_finish_bugs(tsl_test *test, tsl_err *err);

// Writes the replay of a bug into the folder of --out.  A file that can't be written is no failure if
// `at_once`, because it is written again at the end.
void tsl_test_save_replay(tsl_test *test, tsl_bug *bug, size_t number, bool at_once);
void tsl_test_save_paths(tsl_test *test);
// The files that options name, and what is kept for teasel report.  Returns the exit code: `code`,
// unless a file can't be written.
int tsl_test_write_files(tsl_test *test, const tsl_summary *summary, int code);

void tsl_test_print_census(tsl_test *test);
// Says that each run has a process of its own, and why.
void tsl_test_print_fork(const tsl_test *test);
// Prints the end of the output and writes all files.  Returns the exit code.
int tsl_test_report(tsl_test *test);

#endif
