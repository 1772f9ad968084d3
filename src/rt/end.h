// The end of a run.
#ifndef TSLRT_END_H
#define TSLRT_END_H

#include <stdnoreturn.h>

#include "abi/wire.h"

// Of a run.
typedef struct tslrt_ending {
    bool begun;
    bool before_step; // the running thread stands before its step
} tslrt_ending;

noreturn void tslrt_end(unsigned outcome, uint32_t site, const void *about, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
noreturn void tslrt_give_up(uint32_t site, const char *why); // the runtime can't go on
noreturn void tslrt_corrupted(void); // the program has overwritten memory of the runtime
noreturn void tslrt_misuse(const void *object, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
// The thread waits for a lock that it holds.  A child of the program really waits, because its
// parent may end it.
noreturn void tslrt_waits_for_itself(const void *lock, const char *what);

void tslrt_fill(unsigned outcome, uint32_t site, const void *about, const char *message);
void tslrt_note_pending(void);
void tslrt_trace_clear(tsl_trace_head *trace);
// Stores return addresses, innermost first, and returns how many.
unsigned tslrt_walk(uint64_t pc, uintptr_t fp, uintptr_t low, uintptr_t high, uint64_t *frames,
                    unsigned max);
// The output of the program, which the tool captures (output.c).
void tslrt_output_reset(void);
void tslrt_output_collect(tsl_trace_head *trace);
void teasel_bug(const char *message); // where debuggers stop

#endif
