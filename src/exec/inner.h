// The insides of the real runner, shared by the files that make it up:
//
//     exec.c     Plans in, Traces out
//     process.c  the process: starting and killing it
//     slot.c     a Plan and a Trace in shared memory
//     await.c    waiting for a Trace, whatever the process does meanwhile
//     told.c     what the program told about itself
#ifndef TSL_EXEC_INNER_H
#define TSL_EXEC_INNER_H

#include <sys/types.h>

#include "exec/exec.h"
#include "exec/wire_file.h"

struct tsl_exec {
    tsl_wire_file file;
    tsl_exec_options options;
    TSL_VEC(char *) argv;
    char *via;
    int output_fd, stdin_fd;
    pid_t pid;
    uint32_t submitted, collected; // Plans handed in, Traces handed out
    uint64_t restarts;
    uint32_t outside_at, outside_kills; // which Plan was killed from outside last, and how often
    double run_seconds;                 // of one run
    int asked;     // how the run collected last was asked to stop: not, to stop, killed
    bool given_up; // the deadline passed: there is no process, Plans in flight are cut
    int spins;     // before it sleeps
    enum tsl_mode mode;
    tsl_trace_head *head; // private copy of the head last collected
    tsl_census census;    // private copy
    uint64_t weakened;    // reasons that earlier processes gave
    uint32_t nsites, nstrings;
    uint32_t ncover_funcs, ncover_places, npoints;
    uint8_t *before_main; // of the coverage map
};

// ---------------------------------------------------------------- process.c

void tsl_exec_make_argv(tsl_exec *x);
int tsl_exec_open_stdin(const char *path,
                        tsl_err *err); // a descriptor that can be read again, or -1
// A process that takes Plans from number seq on.
bool tsl_exec_start(tsl_exec *x, uint32_t seq, tsl_err *err);
void tsl_exec_kill(tsl_exec *x);
bool tsl_exec_is_dead(tsl_exec *x, int *status);
void tsl_exec_futex_wait(uint32_t *word, uint32_t value, double seconds);
void tsl_exec_futex_wake(uint32_t *word);

// ---------------------------------------------------------------- slot.c

// Into the slot of the next Plan.  False: it does not fit.
bool tsl_exec_write_plan(tsl_exec *x, const tsl_plan *plan, tsl_err *err);
// Of the Trace to be collected; what makes no sense is left out.
void tsl_exec_copy_head(tsl_exec *x);
// Gives back what the Trace collected last took beyond the usual.
void tsl_exec_shrink_slot(tsl_exec *x);
void tsl_exec_fetch(const tsl_trace_head *head, size_t nevents);
void tsl_exec_fetch_ahead(const tsl_exec *x);

// ---------------------------------------------------------------- await.c

// The head of the next Trace in x->head, made up if the process could not write it.
bool tsl_exec_await(tsl_exec *x, tsl_err *err);

// ---------------------------------------------------------------- told.c

void tsl_exec_check_cover(tsl_exec *x);

enum tsl_arrival { TSL_ARRIVED, TSL_NOT_YET, TSL_SPOILED };

static inline enum tsl_arrival tsl_exec_arrival(const tsl_exec *x) {
    uint32_t traces = __atomic_load_n(&x->file.wire->traces, __ATOMIC_ACQUIRE);
    if (traces == x->collected)
        return TSL_NOT_YET;
    return traces - x->collected <= x->submitted - x->collected ? TSL_ARRIVED : TSL_SPOILED;
}

#endif
