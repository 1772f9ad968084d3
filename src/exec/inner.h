// The insides of the real runner, shared by these files:
//
//     exec.c     Plans in, Traces out
//     process.c  starting and killing the process
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
    tsl_texts argv;
    int output_fd, stdin_fd;
    pid_t pid;
    uint32_t submitted, collected; // number of Plans handed in and of Traces handed out
    uint64_t restarts;
    uint32_t outside_at, outside_kills; // Plan that was killed from outside last, and how often
    double run_seconds;                 // wall-clock limit of one run
    int asked;     // the run collected last was 0: not disturbed, 1: asked to stop, 2: killed
    bool given_up; // the deadline passed: there is no process, and Plans in flight are cut
    int spins;     // how often to look for a Trace before sleeping
    enum tsl_mode mode;
    tsl_trace_head *head; // private copy of the head that was collected last
    tsl_census census;    // private copy
    uint64_t weakened;    // reasons that earlier processes gave, as bits
    uint32_t nsites, nstrings;
    uint32_t ncover_funcs, ncover_places, npoints;
    uint8_t *before_main; // the coverage map as it was before main
};

// ---------------------------------------------------------------- process.c

void tsl_exec_make_argv(tsl_exec *x);
int tsl_exec_open_stdin(const char *path,
                        tsl_err *err); // a descriptor that can be read again, or -1
// Starts a process that takes Plans from number `seq` on.
bool tsl_exec_start(tsl_exec *x, uint32_t seq, tsl_err *err);
void tsl_exec_kill(tsl_exec *x);
bool tsl_exec_is_dead(tsl_exec *x, int *status);
bool tsl_exec_refused(const tsl_exec *x, tsl_err *err); // tells why the program could not start
void tsl_exec_futex_wait(uint32_t *word, uint32_t value, double seconds);
void tsl_exec_futex_wake(uint32_t *word);

// ---------------------------------------------------------------- slot.c

// Writes a Plan into the next slot; false if it does not fit.
bool tsl_exec_write_plan(tsl_exec *x, const tsl_plan *plan, tsl_err *err);
// Copies the head of the Trace to be collected; malformed parts are left out.
void tsl_exec_copy_head(tsl_exec *x);
// Gives back memory of the Trace collected last if that was unusually long.
void tsl_exec_shrink_slot(tsl_exec *x);
void tsl_exec_fetch(const tsl_trace_head *head, size_t nevents);
void tsl_exec_fetch_ahead(const tsl_exec *x);

// ---------------------------------------------------------------- await.c

// Waits for the next Trace and puts its head into x->head; makes one up if the process can't.
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
