// The end of the process.
#ifndef TSLRT_LIBC_EXIT_H
#define TSLRT_LIBC_EXIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>

typedef struct tslrt_fiber tslrt_fiber;

#define TSLRT_MAX_ATEXIT 128

// Of a run.
typedef struct tslrt_exiting {
    tslrt_fiber *fiber;   // stands before EXIT or has taken it; NULL: none
    tslrt_fiber *caller;  // calls what exit calls, or NULL
    pthread_mutex_t lock; // which the caller holds
    bool running;         // EXIT was taken: only `fiber` runs
    bool destructed;      // destructors were called
    uint16_t nleaving;    // threads that end and are not the last
} tslrt_exiting;

typedef struct exit_call {
    void (*call)(void *);
    void *arg;
    uint8_t kind; // 0: call(arg), 1: on_exit, 2: at_quick_exit
} exit_call;

noreturn void tslrt_exit_process(int status, uint32_t label); // of the status, or 0
void tslrt_exit_if_last(void);
void tslrt_catch_libc_exit(void);

#endif
