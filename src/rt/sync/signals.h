// Blocked and pending signals of threads and of the process.
#ifndef TSLRT_SYNC_SIGNALS_H
#define TSLRT_SYNC_SIGNALS_H

#include <pthread.h>
#include <stddef.h>

#include "sent.h"

typedef struct tslrt_fiber tslrt_fiber;

// Of a run.
typedef struct tslrt_signals {
    uint64_t pending; // sent to the process, and blocked by all threads
    uint64_t fds;     // signals that a descriptor was opened for
    unsigned nsent;   // signals on their way
} tslrt_signals;

typedef struct tslrt_handling { // on the stack of its thread
    struct tslrt_handling *outer;
} tslrt_handling;

// Of a thread: the signals that it blocks.  Bit 0 of a set is signal 1.
typedef struct tslrt_masked {
    uint64_t mask;
    uint64_t pending;         // sent to the thread and blocked
    uint64_t awaited;         // the thread is in sigwait for one of these
    bool suspended;           // in sigsuspend, which ends by a signal from its first step on
    bool swaps_mask;          // the next handler that returns puts back `before`
    uint64_t before;          // the mask that sigsuspend or its like has replaced
    tslrt_handling *handling; // innermost handler that runs, or NULL
    void *stack;              // what the thread told sigaltstack, or NULL
    size_t stack_size;
    tslrt_sending sends;
} tslrt_masked;

struct signalfd_siginfo;

bool tslrt_is_signal(const void *object);
bool tslrt_signal_waits_no_more(const tslrt_fiber *fiber);
bool tslrt_signal_is_blocked(const tslrt_fiber *fiber, int sig);
void tslrt_signal_pends(tslrt_fiber *fiber, int sig);
void tslrt_signal_reads_masks(void);
void tslrt_signal_handled(uint64_t before); // a handler has returned
void tslrt_signal_to_self(int sig);
int tslrt_signal_process(int sig);
void tslrt_signal_came(int sig);
int tslrt_kill(pthread_t thread, int sig);                    // sends what tslrt_sent_by was told
void tslrt_signal_set_mask(uint64_t mask, uint32_t site);     // of the running thread
void tslrt_signal_mask_of(tslrt_fiber *fiber, uint64_t mask); // which does not run yet
void tslrt_signalfd_read(int fd, struct signalfd_siginfo *signals, size_t size);

// A call that waits with another mask (NULL: with its own) begins.  True if a signal has ended it
// already.
bool tslrt_wait_begins(const uint64_t *mask, uint32_t site);
void tslrt_wait_ends(uint32_t site);
int tslrt_suspend(const uint64_t *mask, uint32_t site); // until a handler has run

#endif
