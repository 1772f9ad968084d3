// A program that is being tested: started, checked, named.
//
// What `test`, `replay` and `selfcheck` have in common.
#ifndef TSL_CLI_SESSION_H
#define TSL_CLI_SESSION_H

#include "exec/crew.h"
#include "explore/runner.h"
#include "report/cover.h"
#include "report/sites.h"
#include "report/symbol.h"

typedef struct tsl_session {
    tsl_crew *crew;
    tsl_runner runner;
    char *program;
    char build[129];
    tsl_sites sites;
    tsl_symbols *symbols;
    tsl_coverage *coverage;          // as far as tsl_session_cover was told
    size_t covered[TSL_MAX_WORKERS]; // entries of each worker's log that are in
    char *fork_reason;               // why each run gets its own process, or NULL
    double patience, most_patience;  // seconds that one run gets; that it may ever get
    unsigned cut_in_a_row;           // runs that used them up, since the last one that did not
    bool hurried;                    // a run with inputs was cut
    bool came_to_an_end;             // some run did
} tsl_session;

bool tsl_session_open(tsl_session *session, const tsl_exec_options *options, unsigned workers,
                      tsl_err *err);
void tsl_session_close(tsl_session *session);

// Of so many seconds for all runs, one run gets a small part at first: runs that never end must not
// use up what others need.  It gets more when no run comes to an end.
void tsl_session_be_impatient(tsl_session *session, double seconds);
// From now on one run may take twice as long; false: that is not allowed, or there is no time for it.
bool tsl_session_be_patient(tsl_session *session);

// Runs the same Plan restarted and freshly forked.  If the Traces differ, each run
// gets its own process from here on; `why` tells the first difference.
bool tsl_session_check(tsl_session *session, uint64_t max_steps, uint32_t flags, tsl_err *err);

// The run of this Trace counts, and so do those before it.
void tsl_session_cover(tsl_session *session, const tsl_run *run);

// No run so far does.
void tsl_session_forget_cover(tsl_session *session);

// Goes over to one process per run, one after the other, for the reason given (borrowed).
void tsl_session_fork(tsl_session *session, const char *reason);

#endif
