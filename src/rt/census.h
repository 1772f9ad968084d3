// What is under control, and what is not: said once per campaign.
#ifndef TSLRT_CENSUS_H
#define TSLRT_CENSUS_H

#include "abi/hooks.h"

// Of the process: what the program calls.
typedef struct tslrt_uses {
    bool cancels;          // pthread_cancel
    bool deletes_keys;     // pthread_key_delete or tss_delete
    bool detaches;         // pthread_detach or thrd_detach
    bool ends_threads;     // pthread_exit or thrd_exit
    bool kills;            // pthread_kill
    bool kills_itself;     // kill
    bool queues;           // sigqueue and its like, which send values with signals
    bool sends;            // so one thread may send signals to another one
    bool locks_files;      // flockfile or ftrylockfile
    bool wide;             // functions that make a stream one of wide characters
    bool swaps_floating;   // functions of fenv.h: each thread has its own modes of floating point
    uint64_t called_early; // a bit for each function of externs.def that a constructor called
} tslrt_uses;

void tslrt_census(void); // before the first run
// The program has behaviours that no schedule shows, so no search of it is complete.
void tslrt_weaken_at(uint32_t site, enum tsl_reason reason, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
#define TSLRT_HERE UINT32_MAX // the site of the step that the running thread stands before
#define tslrt_weaken(reason, ...) tslrt_weaken_at(TSLRT_HERE, reason, __VA_ARGS__)
// Something is not controlled, which is no reason to doubt the search.
#define tslrt_say_at(site, ...) tslrt_weaken_at(site, TSL_REASON_NONE, __VA_ARGS__)
#define tslrt_say(...) tslrt_say_at(TSLRT_HERE, __VA_ARGS__)
void tslrt_calls_uncontrolled(const tsl_extern *e, uint32_t site); // a row of abi/externs.def

bool tslrt_is_runtime(const void *function); // a function of the runtime
bool tslrt_is_of_libc(const void *function);

#endif
