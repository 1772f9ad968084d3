// What an address of the program under test is, by the layout alone.
//
// The runtime gives every thread its own slice of the heap and of the stacks
// (abi/layout.h), so the address itself says whose it is.
#ifndef TSL_TRACE_PLACE_H
#define TSL_TRACE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

enum tsl_place_kind {
    TSL_PLACE_OTHER,   // the program's and its libraries' own: globals, code
    TSL_PLACE_HEAP,    // allocated by `thread`
    TSL_PLACE_STACK,   // a local variable of `thread`
    TSL_PLACE_CHANNEL, // the name of a pipe, a socket pair or an event descriptor that `thread` made
    TSL_PLACE_THREAD,  // the control block of `thread`: what a pthread_t points to
    TSL_PLACE_RUNTIME  // the runtime's own: pending signals, shared memory
};

typedef struct tsl_place {
    enum tsl_place_kind kind;
    uint16_t thread;
} tsl_place;

tsl_place tsl_place_of(uint64_t addr);
// Which of its thread's channels it is, counted from 1.
unsigned tsl_place_channel(uint64_t addr);

// Hidden state of libc that nobody guards (abi/states.def) lies, for the runtime, at small addresses: what it is, or
// NULL if the address is none of these.
const char *tsl_place_state(uint64_t addr);
// A pending signal, as an object: 0 stands for all masks.  `thread` is -1 for signals of the process.
bool tsl_place_signal(uint64_t addr, int *thread, unsigned *signal);

#endif
