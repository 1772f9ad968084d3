// What an address of the program under test is, as far as the layout says.
//
// The runtime gives every thread its own slice of the heap and of the stacks (abi/layout.h), so the
// address itself says to which thread it belongs.
#ifndef TSL_TRACE_PLACE_H
#define TSL_TRACE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

enum tsl_place_kind {
    TSL_PLACE_OTHER,   // the program's and its libraries' own: globals, code
    TSL_PLACE_HEAP,    // allocated by `thread`
    TSL_PLACE_STACK,   // a local variable of `thread`
    TSL_PLACE_CHANNEL, // stands for a pipe, a socket pair or an event descriptor of `thread`
    TSL_PLACE_THREAD,  // the control block of `thread`: what a pthread_t points to
    TSL_PLACE_RUNTIME  // the runtime's own: pending signals, shared memory
};

typedef struct tsl_place {
    enum tsl_place_kind kind;
    uint16_t thread;
} tsl_place;

tsl_place tsl_place_of(uint64_t addr);
// The number of a channel among those of its thread, from 1.
unsigned tsl_place_channel(uint64_t addr);

// Hidden state of libc that libc does not guard (abi/states.def) has small addresses in the
// runtime.  Returns what the state is, or NULL if the address stands for none.
const char *tsl_place_state(uint64_t addr);
// Is it a pending signal?  Signal 0 stands for all masks; `thread` is -1 for those of the process.
bool tsl_place_signal(uint64_t addr, int *thread, unsigned *signal);

#endif
