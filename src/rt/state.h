// State of the runtime.
//
// The runtime lives in a stranger's process.  It keeps nothing in .data or .bss, because the
// in-place restart puts those back. All its state is in one mapping at a fixed address, in three
// lifetimes:
//
//     tslrt        the process: modes, the shared file, the snapshot
//     RUN          one run: copied from `fresh` when a run starts (run.h)
//     tslrt_fiber  one thread of one run (fiber.h)
//
// There is one kernel thread, so nothing here is atomic.
#ifndef TSLRT_STATE_H
#define TSLRT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/hooks.h"
#include "abi/sampler.h"
#include "area.h"
#include "extern.h"
#include "fiber.h"
#include "foreign.h"
#include "heap.h"
#include "inside.h"
#include "libc/exit.h"
#include "libc/flock.h"
#include "libc/mapping.h"
#include "libc/stream.h"
#include "libc/timer.h"
#include "libc/varies.h"
#include "run.h"
#include "sample.h"
#include "sched.h"
#include "sync/key.h"
#include "sync/sem.h"

// What the program registers with the runtime.  Large, so it is put back only
// after a run that touched it.
typedef struct tslrt_registry {
    bool touched;
    uint32_t nexit;
    exit_call exits[TSLRT_MAX_ATEXIT];
    key_slot keys[TSLRT_MAX_KEYS];
    named_sem sems[TSLRT_MAX_SEMS];
    file_lock files[TSLRT_MAX_FILES];
    timer_slot timers[TSLRT_MAX_TIMERS];
    flock_slot flocks[TSLRT_MAX_FLOCKS];
    uint32_t nmaps, nfilemaps;
    tslrt_mapping maps[TSLRT_MAX_MAPS];
    struct {
        void (*handler)(int);
        uint64_t flags, mask;
        bool from_timer; // a timer of the program's may send it
    } signal_actions[65];
    uint64_t handled; // signals that have a handler; bit 0 is signal 1
} tslrt_registry;

enum tslrt_kind {
    RT_EARLY,  // before main: nothing is controlled
    RT_ALONE,  // an ordinary program under a fair schedule
    RT_REPLAY, // alone, following TEASEL_REPLAY
    RT_SERVED, // driven by the tool
    RT_CHILD   // forked by the program: nothing is controlled any more
};

typedef struct tslrt_state {
    uint8_t kind; // enum tslrt_kind
    bool in_place;
    struct tslrt_hunt *hunt; // for a proof that the run never ends, or NULL
    bool out_of_fuel;        // the only thread has made all the accesses it may
    tsl_wire *wire;
    uint32_t seq;
    void *loop_sp; // context of the loop that starts runs
    int *errno_at; // main's
    tslrt_area area;
    int (*main)(int, char **, char **);
    int argc;
    char **argv, **envp;
    tsl_module *modules;
    uint32_t nsites;
    int32_t pid;        // what getpid returns
    int32_t tested_pid; // in a child of the program: the real number of the process that is tested
    tsl_trace_head *tested_trace; // and its Trace, if the tool reads it
    struct timespec born;         // the real time before the first run, as stamps of files have it
    uint64_t loaded;              // libraries that were loaded before the first run
    bool late_page;               // the restart missed one
    bool said_left;               // that threads were left when the program ended
    bool moved_from_outside;      // memory may change though no thread takes a step
    bool cancels;                 // the program calls pthread_cancel
    bool deletes_keys;            // ... pthread_key_delete or tss_delete
    bool detaches;                // ... pthread_detach or thrd_detach
    bool locks_files;             // and flockfile or ftrylockfile
    bool wide;                    // and functions that make a stream one of wide characters
    bool ends_threads;            // and pthread_exit or thrd_exit
    bool kills;                   // and pthread_kill
    bool kills_itself;            // and kill
    bool queues;                  // it sends values with signals
    uint64_t called_early; // a bit for each function of externs.def that a constructor called
    bool sends;            // so signals to other threads
    bool swaps_floating; // it changes the modes of floating point, which each thread has its own of
    const char *alone_inputs; // of a replay without the tool, or NULL
    // extern.c
    uint32_t nfunctions; // in the table of instrumented ones
    uint8_t state_roles
        [64]; // of each hidden state: in which roles the program's functions use it, a bit each
    bool redirects;          // standard output may be changed
    bool gives_names;        // or gives files other names
    bool tells_numbers;      // the program sees what number a stream's descriptor has
    const void *known_start; // of the last thread whose code is not foreign
    uint32_t npoints;        // of coverage
    uint32_t npoints_known;  // of the log of preemption points
    int last_fd;             // of the runtime's own
    uint32_t ndevices;
    struct {
        uint64_t number;
        bool of_system;
    } devices[TSLRT_MAX_DEVICES]; // of files that were opened (libc/varies.c)
    char *leak_memory;

    // What every run touches lies together: in a forked process each page of it is copied.
    tslrt_run run;
    tslrt_registry registry;
    tsl_sampler sampler;
    uint16_t parked_count[TSLRT_PARKED_COUNTS];
    uint16_t fibers[TSL_MAX_THREADS / 2]; // of this run: numbers in creation order
    // Object of the step each of them stands before, if it has been switched away from: dense,
    // because every change of an object looks through it.
    const void *parked_at[TSL_MAX_THREADS / 2];
    unsigned nvariables;
    tslrt_variable variables[TSLRT_MAX_VARIABLES]; // of libc, that the program names
    unsigned nconstants;
    struct {
        uintptr_t low, high;
    } constants[TSLRT_MAX_CONSTANTS];             // memory that can't be written
    const void *foreign_told[TSLRT_FOREIGN_TOLD]; // functions of foreign.c that were named
    uint32_t nlibraries;
    tslrt_library libraries[TSLRT_LIBRARIES];
    uintptr_t readable[TSLRT_READABLE]; // numbers of pages that were seen to be mapped, hashed
    tsl_sample_thread sampled[TSL_MAX_THREADS];
    uint8_t points[TSLRT_POINTS];          // sites that are preemption points, hashed
    uint16_t enabled[TSL_MAX_THREADS / 2]; // those that can be scheduled, in any order

    // As they were before main.
    tslrt_run fresh;
    tslrt_registry fresh_registry;
    tslrt_fiber main_fresh;
    heap_slot heap_fresh;
} tslrt_state;

_Static_assert(sizeof(tslrt_state) <= 0x400000, "the state fits its place");

#define tslrt ((tslrt_state *)TSL_ARENA_ADDR)
#define RUN (&tslrt->run)
#define SELF (tslrt->run.self)

static inline tslrt_registry *tslrt_reg(void) // for reading
{
    return &tslrt->registry;
}

static inline tslrt_registry *tslrt_reg_change(void) {
    tslrt->registry.touched = true;
    return &tslrt->registry;
}

// True when somebody will read the events.
static inline bool tslrt_watched(void) {
    return tslrt->kind == RT_SERVED || tslrt->kind == RT_REPLAY;
}

#endif
