// The real runner: an instrumented process that turns Plans into Traces.
//
// Plans go in and Traces come out in the same order; several may be in flight.  Whatever the
// process does (crash, hang, kill its parent, scribble over the shared memory), each Plan gets its
// Trace, and the runner goes on.  When the deadline of the command passes, the process is ended,
// and Plans in flight count as cut by the time limit.
#ifndef TSL_EXEC_EXEC_H
#define TSL_EXEC_EXEC_H

#include "trace/cover.h"
#include "trace/outside.h"
#include "trace/trace.h"

typedef struct tsl_exec tsl_exec;

typedef struct tsl_exec_options {
    const char *program;
    const char *const *args;     // without argv[0]; ends with NULL
    const char *stdin_path;      // NULL: empty
    const tsl_outsides *outside; // inputs that are not in the Plans, or NULL; borrowed
    const char *via;             // words put before the program (an emulator), or NULL
    uint64_t max_steps;          // the largest max_steps of any Plan that will be submitted
    double run_seconds;          // wall-clock limit of one run; can be changed later
    unsigned workers;            // number of busy processes of the crew; 0: this one alone
    enum tsl_mode mode;
} tsl_exec_options;

// Starts the program up to main.  Returns NULL and fills `err` when that fails.
tsl_exec *tsl_exec_new(const tsl_exec_options *options, tsl_err *err);
void tsl_exec_free(tsl_exec *exec);

// The number of Plans that may be submitted now without collecting.
unsigned tsl_exec_room(const tsl_exec *exec);
bool tsl_exec_submit(tsl_exec *exec, const tsl_plan *plan, tsl_err *err);

// The Trace of the oldest Plan in flight; valid until the next call of collect, forget or free.
bool tsl_exec_collect(tsl_exec *exec, tsl_trace *trace, tsl_err *err);
unsigned tsl_exec_in_flight(const tsl_exec *exec);

// Discards the Traces in flight.  Waits for them until the time `until` of tsl_clock_now; if they
// have not come by then, the process is killed, and the next Plan starts another one.
bool tsl_exec_forget(tsl_exec *exec, double until, tsl_err *err);

// One process for all runs, or one per run.  Only with nothing in flight.
void tsl_exec_set_mode(tsl_exec *exec, enum tsl_mode mode);
enum tsl_mode tsl_exec_mode(const tsl_exec *exec);

// Changes the wall-clock limit of one run.
void tsl_exec_set_run_seconds(tsl_exec *exec, double seconds);

// The census and the site table of the program.  The table must be checked by the caller.
const tsl_census *tsl_exec_census(tsl_exec *exec);
const tsl_site *tsl_exec_sites(const tsl_exec *exec, size_t *nsites, const char **strings,
                               size_t *nstrings);

// What can be covered and what was.  The tables must be checked by the caller.
tsl_cover_tables tsl_exec_cover(const tsl_exec *exec);

// Forgets what runs have covered; what was covered before main counts again with the next run.
// Only with nothing in flight.
void tsl_exec_forget_cover(tsl_exec *exec);

uint64_t tsl_exec_restarts(const tsl_exec *exec); // times the program had to be started again

#endif
