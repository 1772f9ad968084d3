// One run: its state, copied from `fresh` when it begins, and how it is run.
#ifndef TSLRT_RUN_H
#define TSLRT_RUN_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "abi/hooks.h"
#include "extern.h"
#include "fiber.h"
#include "libc/buffers.h"
#include "libc/channel.h"
#include "libc/ipc.h"
#include "libc/limits.h"
#include "libc/stream.h"
#include "libc/timer.h"
#include "libc/varies.h"
#include "sync/exclusive.h"
#include "sync/sent.h"

#define TSLRT_SOLO_FACTOR 100 // accesses of an only thread are no steps, but they are bounded, too

typedef struct tslrt_run {
    const tsl_plan_head *plan;
    const tsl_item *items;
    const tsl_event *sleep;            // the Plan's
    const tsl_event *checked;          // up to here sleepers have seen what happened
    const tsl_turn *order, *order_end; // the Plan's, behind those in front that are through
    const tsl_turn *turn;              // whose it was last; may be NULL
    const char *inputs, *inputs_end;   // the Plan's
    tsl_trace_head *trace;
    tsl_event *first, *limit;
    uint32_t item;
    uint32_t item_done; // steps of it that were run, if not all at once
    bool in_tail;       // the prefix is used up
    bool filters;       // a thread that has taken many steps leaves out repeated accesses
    bool uneven;        // what is recorded may differ between threads: each switch looks at that
    bool ending;
    bool inputs_left; // something that depends on inputs was written outside
    bool rejected;    // somebody stands before an assumption that does not hold
    bool said_full;   // that no more expressions fit
    bool before_step; // the run ended while the running thread stood before its step

    int64_t until;       // steps executed = until - hot.fuel
    int64_t beyond;      // fuel that was granted and held back
    int64_t ask_at;      // behind so many steps a filter may start, or the run is too long
    int64_t switched_at; // the number of the first step of the running thread since it was picked
    uint32_t nfilters;   // tables in use
    uint64_t rng[2];
    uint32_t stay_count;
    bool policy_yield;      // the running thread slept or yielded
    bool sampled;           // the policy is one of abi/sample.h
    bool by_points;         // and is asked at preemption points only, from now on
    bool enabled_one;       // since it was asked
    bool stay_drawn;        // random: for how long the thread runs
    int64_t point_stay;     // random at points: it runs on at so many, of point_stay_of threads
    uint16_t point_stay_of; // 0: nothing was drawn
    tslrt_fiber *newborn, *parent; // to start at once, and to go on after it; NULL: none

    tslrt_fiber *self;
    uint16_t nfibers, nlive, nenabled;
    uint16_t unjoined; // threads that are not joined, dead or alive
    uint16_t nsleeping;
    uint16_t nawaiting; // before AWAIT
    bool has_async; // some thread's cancellation was asynchronous, or signals may come at any step
    tslrt_fiber *exiting;

    unsigned moment;        // of waiting for what comes from outside (sync/patience.c)
    int next_timer;         // a descriptor that somebody waits for then; -1: none
    uint64_t next_timer_ns; // when it expires
    bool queues;            // a queue of POSIX was opened
    uint16_t npiped;        // streams of libc/piped.c that are open

    uint64_t tickets;
    uint64_t random_state;     // of rand and its like
    uint64_t pending;          // signals sent to the process that all threads block
    uint64_t signalfd;         // signals that a descriptor was opened for
    volatile uint64_t arrived; // signals from outside, not handed on yet
    volatile bool patient;     // nobody can run: signals wait in `arrived`
    unsigned process; // tells the threads of a child process from those of the run, where it is 0
    char **envp;      // what main is given
    uint32_t first_used;                            // first values of inputs that are handed out
    bool had_children;                              // has, or had, processes that came of it
    unsigned temporaries;                           // files made under names that are counted
    tslrt_limit limits[TSLRT_LIMITS];               // that the program has set (libc/limits.c)
    unsigned nipc;                                  // in ipc
    unsigned nnameless, nmade, nchannels, nbuffers; // entries of the tables at the end
    unsigned nsent, nclocks;                        // and of these
    uint64_t default_attributes[7];                 // of new threads: sync/thread.c
    int concurrency;                                // a hint the program may set and read back
    uint32_t flags;                                 // enum tsl_trace_flag
    bool exit_running;                              // EXIT was taken: only `exiting` runs
    pthread_mutex_t exit_lock;                      // held by the thread that calls what exit calls
    tslrt_fiber *exit_caller;                       // which that is, or NULL
    bool destructed;                                // destructors were called
    uint16_t nleaving;                              // threads that end and are not the last
    bool faulted; // the running thread's object can't be looked at

    // extern.c
    const tsl_extern *open_extern; // of TSL_HOT->open_call
    bool zone_known;               // libc has looked for the time zone
    char *random_memory;           // what initstate or setstate was given last, or NULL
    size_t random_size;
    struct random_data random_data;
    unsigned nput;
    const char *put[TSLRT_MAX_PUT]; // texts that putenv was given
    const char *strtok_rest;        // where strtok goes on; libc/kept.c
    struct {
        const void *file;
        uint64_t object;
    } streams[TSLRT_STREAM_NAMES]; // what was found out of them last: libc/stream.c
    const char *log_name;          // what openlog was given, or NULL
    uint64_t table[2];             // of hsearch: a struct hsearch_data
    uint64_t open_args[TSL_CALL_ARGS];

    bool aliased; // memory has two addresses (libc/mapping.c)

    // foreign.c: the last call of code that nobody knows; NULL and 0 if there was none
    const void *foreign_function;
    const char *foreign_name; // NULL if it was called through a pointer
    uint32_t foreign_site;

    tslrt_exclusive exclusive;
    // From exclusive.kept on: tables whose entries behind those that are counted nobody reads, so
    // they are put back only if there are any (run.c).
    uint64_t nameless[TSLRT_MAX_NAMELESS]; // inodes of pipes and their like that were looked at,
                                           // see libc/varies.c
    struct {
        uint64_t device, inode;
    } made[TSLRT_MAX_MADE]; // files that this run has made
    tslrt_channel channels[TSLRT_MAX_CHANNELS];
    tslrt_ipc ipc[TSLRT_MAX_IPC]; // objects of System V that this run made
    uint8_t reads_from[TSLRT_NUMBERED], writes_to[TSLRT_NUMBERED]; // by descriptor: channel + 1
    tslrt_buffer buffers[TSLRT_MAX_BUFFERS];                       // libc/buffers.c
    tslrt_sent sent[TSLRT_MAX_SENT]; // signals on their way, oldest first
    struct {
        void *timer;
        int sig;
    } clocks
        [TSLRT_MAX_CLOCKS]; // timers of the kernel's that the program has made, and what they send
} tslrt_run;

// Runs one Plan to its end.
void tslrt_run_plan(const tsl_plan_head *plan, const tsl_item *items, tsl_trace_head *trace,
                    tsl_event *events, uint64_t max_events);
void tslrt_close_files(void);
void tslrt_run_reset(void); // everything as it was before main

#endif
