// A program under test: its processes, its names, and how long a run may take.
//
// `test`, `replay` and `selfcheck` have this in common.
#ifndef TSL_CLI_SESSION_H
#define TSL_CLI_SESSION_H

#include "exec/crew.h"
#include "explore/runner.h"
#include "report/bug.h"
#include "report/cover.h"

typedef struct tsl_session {
    tsl_crew *crew;
    tsl_runner runner;
    char *program;
    char build[129];
    tsl_sites sites;
    tsl_symbols *symbols;
    tsl_coverage *coverage;          // of the runs that tsl_session_cover was shown
    size_t covered[TSL_MAX_WORKERS]; // entries of the log of each worker that are in `coverage`
    char *fork_reason;               // why each run gets a process of its own, or NULL
    double patience, most_patience;  // seconds that one run gets now; that a run may get at most
    unsigned cut_in_a_row;           // runs that were cut since the last run that was not
    bool hurried;                    // a run with inputs was cut
    bool came_to_an_end;             // some run came to an end by itself
} tsl_session;

bool tsl_session_open(tsl_session *session, const tsl_exec_options *options, unsigned workers,
                      tsl_err *err);
void tsl_session_close(tsl_session *session);

// `seconds` is the time for all runs.  At first one run gets a small part of it, because runs that never
// end must not use up what others need.  A run gets more when no run comes to an end.
void tsl_session_be_impatient(tsl_session *session, double seconds);
// From now on one run may take twice as long.  False: the limit is reached, or there is no time left.
bool tsl_session_be_patient(tsl_session *session);

// Runs the same Plan restarted and freshly forked.  If the Traces differ, each run gets a process of
// its own from here on, and `fork_reason` tells the first difference.
bool tsl_session_check(tsl_session *session, uint64_t max_steps, uint32_t flags, tsl_err *err);

// Adds what this run, and the runs before it in its process, have covered.
void tsl_session_cover(tsl_session *session, const tsl_run *run);

// Prints the report of a bug.
void tsl_session_print_bug(const tsl_session *session, const tsl_bug *bug);

// Forgets what was covered so far.
void tsl_session_forget_cover(tsl_session *session);

// From now on each run gets a process of its own, one after the other.  The reason is copied.
void tsl_session_fork(tsl_session *session, const char *reason);

#endif
