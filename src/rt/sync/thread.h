// Threads.
#ifndef TSLRT_SYNC_THREAD_H
#define TSLRT_SYNC_THREAD_H

#include <stdbool.h>
#include <stdnoreturn.h>

#include "attr.h"

// Of a run: what new threads get.
typedef struct tslrt_defaults {
    tslrt_attr attributes;
    int concurrency; // a hint that the program may set and read back
} tslrt_defaults;

// Of a thread: what its creator said, and what becomes of it.
typedef struct tslrt_thread {
    void *(*start)(void *);
    void *arg, *result;
    uint32_t arg_label, result_label;
    bool started, detached, joined;
    bool has_joiner;      // some thread may be in pthread_join for it
    bool is_stuck;        // waits for ever: stuck.c
    bool ready_at_exit;   // could have run when the process ended
    uint16_t idle;        // sleeps and yields since some thread stood before EXIT
    uint32_t ninputs;     // asked for so far
    int policy, priority; // told by the program, and of no effect
    void *cleanup;        // innermost struct of pthread_cleanup_push
    char name[16];
} tslrt_thread;

noreturn void tslrt_fiber_finish(void *result);
void tslrt_single_threaded(bool single); // what glibc says about the number of threads

#endif
