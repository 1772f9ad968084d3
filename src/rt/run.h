// One run: its state, copied from `fresh` when it begins, and how it is run.
#ifndef TSLRT_RUN_H
#define TSLRT_RUN_H

#include "end.h"
#include "fiber.h"
#include "foreign.h"
#include "libc/buffers.h"
#include "libc/channel.h"
#include "libc/exit.h"
#include "libc/ipc.h"
#include "libc/libc.h"
#include "libc/process.h"
#include "libc/timer.h"
#include "libc/varies.h"
#include "pick.h"
#include "symbol/labels.h"
#include "sync/exclusive.h"
#include "sync/patience.h"

#define TSLRT_SOLO_FACTOR 100 // accesses of an only thread are no steps, but they are bounded, too

// The Trace of the run.
typedef struct tslrt_recorded {
    tsl_trace_head *head;
    tsl_event *first, *limit;
    uint32_t flags; // enum tsl_trace_flag
} tslrt_recorded;

// Tables that hardly any run uses: they are put back only after a run that has used one.
typedef struct tslrt_tables {
    uint64_t nameless[TSLRT_MAX_NAMELESS]; // inodes of pipes and their like that were looked at
    struct {
        uint64_t device, inode;
    } made[TSLRT_MAX_MADE]; // files that this run has made
    tslrt_channel channels[TSLRT_MAX_CHANNELS];
    tslrt_ipc ipc[TSLRT_MAX_IPC]; // objects of System V that this run made
    uint8_t reads_from[TSLRT_NUMBERED], writes_to[TSLRT_NUMBERED]; // by descriptor: channel + 1
    tslrt_buffer buffers[TSLRT_MAX_BUFFERS];
    tslrt_sent sent[TSLRT_MAX_SENT];      // signals on their way, oldest first
    tslrt_clock clocks[TSLRT_MAX_CLOCKS]; // timers of the kernel's that the program has made
} tslrt_tables;

typedef struct tslrt_run {
    const tsl_plan_head *plan;
    tslrt_prefix prefix;
    tslrt_order order;
    tslrt_sleep_set sleep;
    tslrt_inputs inputs;
    tslrt_recorded trace;

    tslrt_fiber *self;
    tslrt_fuel fuel;
    tslrt_counts count;
    bool uneven;    // what is recorded may differ between threads: each switch looks at that
    bool has_async; // some thread's cancellation was asynchronous, or signals may come at any step
    bool faulted;   // the running thread's object can't be looked at
    tslrt_ending end;
    tslrt_filtering filter;
    tslrt_policy policy;

    tslrt_exiting exit;
    tslrt_patience patience;
    tslrt_signals signal;
    tslrt_process process;
    tslrt_defaults defaults;
    tslrt_foreign foreign;
    tslrt_libc libc;
    // The last fields, see forget_run in run.c.
    tslrt_exclusive exclusive;
    tslrt_tables tables;
} tslrt_run;

// Runs one Plan to its end.
void tslrt_run_plan(const tsl_plan_head *plan, const tsl_item *items, tsl_trace_head *trace,
                    tsl_event *events, uint64_t max_events);
// Puts what main is given below `high`, and returns where the stack may begin (arguments.c).
uintptr_t tslrt_arguments(uintptr_t high, char ***argv, char ***envp);
void tslrt_close_files(void);
void tslrt_run_reset(void); // everything as it was before main

#endif
