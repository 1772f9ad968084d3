// State of the runtime.
//
// The runtime lives in a stranger's process.  It keeps nothing in .data or .bss, because the
// in-place restart puts those back.  All its state is in one mapping at a fixed address, in three
// lifetimes:
//
//     tslrt        the process: modes, the shared file, the snapshot
//     RUN          one run: copied from `fresh` when a run starts (run.h)
//     tslrt_fiber  one thread of one run (fiber.h)
//
// Each file keeps its part of these in a struct of its own, which its header declares.  The comment
// above that struct says whether the struct is part of the process, of a run or of a thread.
//
// There is one kernel thread, so nothing here is atomic.
#ifndef TSLRT_STATE_H
#define TSLRT_STATE_H

#include "area.h"
#include "census.h"
#include "hang.h"
#include "heap.h"
#include "hidden.h"
#include "image.h"
#include "inside.h"
#include "libc/flock.h"
#include "libc/mapping.h"
#include "restart.h"
#include "run.h"
#include "serve.h"
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

// The program under test, as it was started.
typedef struct tslrt_program {
    int (*main)(int, char **, char **);
    int argc;
    char **argv, **envp;
    tsl_module *modules;
    uint32_t nsites;
    const char *inputs; // of a replay without the tool, or NULL
} tslrt_program;

// The state as it was before main.
typedef struct tslrt_fresh {
    tslrt_run run;
    tslrt_registry registry;
    tslrt_fiber main;
    heap_slot heap;
} tslrt_fresh;

typedef struct tslrt_state {
    uint8_t kind;   // enum tslrt_kind
    bool said_left; // the census says that threads were left when the program ended
    tsl_wire *wire;
    void *loop_sp; // context of the loop that starts runs
    int *errno_at; // main's
    tslrt_server server;
    tslrt_area area;
    tslrt_program program;
    tslrt_identity process;
    tslrt_uses uses;
    tslrt_hanging hang;
    tslrt_memory memory;
    tslrt_world world;
    uint32_t npoints;       // counters of coverage that have counted
    uint32_t npoints_known; // of the log of preemption points

    // What every run touches lies together: in a forked process each page of it is copied.
    tslrt_run run;
    tslrt_registry registry;
    tsl_picker picker;
    tslrt_threads threads;

    tslrt_hidden hidden;
    tslrt_image image;
    tslrt_strangers foreign;
    tslrt_libraries libraries;
    uintptr_t readable[TSLRT_READABLE]; // numbers of pages that were seen to be mapped, hashed
    uint64_t words[TSL_MAX_THREADS];    // of the picker
    uint8_t points[TSLRT_POINTS];       // sites that are preemption points, hashed

    tslrt_fresh fresh;
} tslrt_state;

_Static_assert(sizeof(tslrt_state) <= 0x400000, "the state fits its place");

#define tslrt ((tslrt_state *)TSL_ARENA_ADDR)
#define RUN (&tslrt->run)
#define SELF (tslrt->run.self)

static inline tslrt_registry *tslrt_reg(void) { return &tslrt->registry; } // for reading

static inline tslrt_registry *tslrt_reg_change(void) {
    tslrt->registry.touched = true;
    return &tslrt->registry;
}

// The threads of the run, oldest first: the first one behind NULL, and NULL behind the last one.
//
//     for (tslrt_fiber *f = NULL; (f = tslrt_next(f));)
static inline tslrt_fiber *tslrt_next(const tslrt_fiber *f) {
    unsigned i = f ? f->place.created + 1u : 0;
    return i < RUN->count.fibers ? tslrt_fiber_at(tslrt->threads.fibers[i]) : NULL;
}

// The same without threads that have ended.
static inline tslrt_fiber *tslrt_next_live(const tslrt_fiber *f) {
    tslrt_fiber *next = tslrt_next(f);
    while (next && next->state != FIBER_LIVE)
        next = tslrt_next(next);
    return next;
}

// True when somebody will read the events.
static inline bool tslrt_watched(void) {
    return tslrt->kind == RT_SERVED || tslrt->kind == RT_REPLAY;
}

#endif
