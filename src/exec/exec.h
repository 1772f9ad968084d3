// The real runner: an instrumented process that turns Plans into Traces.
//
// Plans go in and Traces come out in the same order, several in flight.  The
// process may do what it likes (crash, hang, kill its parent, scribble over the
// shared memory): each Plan still gets its Trace, and the runner goes on.  When the deadline of
// the command passes, what still runs is ended, and Plans in flight count as cut by the time limit.
#ifndef TSL_EXEC_EXEC_H
#define TSL_EXEC_EXEC_H

#include "base/err.h"
#include "base/vec.h"
#include "trace/cover.h"
#include "trace/outside.h"
#include "trace/trace.h"

typedef struct tsl_exec tsl_exec;

typedef struct tsl_exec_options {
    const char *program;
    const char *const *args;     // without argv[0]; ends with NULL
    const char *stdin_path;      // NULL: empty
    const tsl_outsides *outside; // inputs that are no part of a Plan, or NULL; borrowed
    const char *via;             // words put before the program (an emulator), or NULL
    uint64_t max_steps;          // largest of any Plan submitted
    double run_seconds;          // wall-clock limit of one run, at first
    unsigned workers;            // how many there are of it, all busy; 0: it alone
    enum tsl_mode mode;
} tsl_exec_options;

// Starts the program up to main.  NULL and a filled err when that fails.
tsl_exec *tsl_exec_new(const tsl_exec_options *options, tsl_err *err);
void tsl_exec_free(tsl_exec *exec);

// How many Plans may be submitted now without collecting.
unsigned tsl_exec_room(const tsl_exec *exec);
bool tsl_exec_submit(tsl_exec *exec, const tsl_plan *plan, tsl_err *err);

// The Trace of the oldest Plan in flight; valid until the next call of collect, forget or free.
bool tsl_exec_collect(tsl_exec *exec, tsl_trace *trace, tsl_err *err);
unsigned tsl_exec_in_flight(const tsl_exec *exec);

// Nobody wants the Traces in flight any more.  They are waited for if they come until then (on tsl_clock_now);
// otherwise the process is killed, and another one started.
bool tsl_exec_forget(tsl_exec *exec, double until, tsl_err *err);

// One process for all runs, or one per run.  Only with nothing in flight.
void tsl_exec_set_mode(tsl_exec *exec, enum tsl_mode mode);
enum tsl_mode tsl_exec_mode(const tsl_exec *exec);

// Another wall-clock limit of one run.
void tsl_exec_set_run_seconds(tsl_exec *exec, double seconds);

// What the program told about itself; the site table as bytes to be checked.
const tsl_census *tsl_exec_census(tsl_exec *exec);
const tsl_site *tsl_exec_sites(const tsl_exec *exec, size_t *nsites, const char **strings,
                               size_t *nstrings);

// What can be covered and what was, as bytes to be checked.
tsl_cover_tables tsl_exec_cover(const tsl_exec *exec);

// Runs so far have covered nothing; what happened before main counts again with the next one.
// Only with nothing in flight.
void tsl_exec_forget_cover(tsl_exec *exec);

uint64_t tsl_exec_restarts(const tsl_exec *exec); // times the program had to be started again
int tsl_exec_pid(const tsl_exec *exec);           // of the server process

#endif
