// What happens before what in a trace, straight from the definition?
//
// The reference every clock of the tool is held to.  No clocks here: a step's past is
// the set of all earlier steps it depends on, and theirs.  A step e depends on an
// earlier d when
//
//     both are of one thread, or d created or woke e's,
//     or two of their accesses conflict (abi/conflict.h),
//     or one is sent to the other's thread,
//     or both arrive at one barrier, in different rounds,
//     or e leaves the round of a barrier that d arrived in.
//
// A BRANCH depends on its own thread's steps only.
//
// Two traces are equivalent when every thread takes the same steps with the same pasts.
// Their canonical hash says so: the steps of each thread, each with its label and how
// many steps of every thread lie in its past.
//
// A step is named by its place among the steps (notes do not count).
#ifndef TSL_VM_NAIVE_H
#define TSL_VM_NAIVE_H

#include "abi/conflict.h"
#include "trace/trace.h"

typedef struct tsl_naive_step {
    uint64_t hash;         // of the steps of its thread before it
    uint64_t barrier;      // the one it arrives at or leaves, or 0
    uint32_t round;        // of that barrier
    uint32_t first_access; // into `accesses`
    uint32_t first_wake;   // into `wakes`
    uint16_t naccesses, nwakes;
    uint16_t thread;
    uint8_t kind;
    uint8_t order; // memory_order
    uint16_t res;
    uint32_t slot; // of its thread
} tsl_naive_step;

typedef struct tsl_naive_thread {
    uint16_t number;
    uint64_t hash; // of its steps so far
} tsl_naive_thread;

// Steps can be taken back, last first, so that a search need not start over.
typedef struct tsl_naive {
    size_t stride; // words of a set of steps
    TSL_VEC(tsl_naive_step) steps;
    TSL_VEC(tsl_access) accesses;
    TSL_VEC(uint16_t) wakes;
    TSL_VEC(uint64_t) pasts; // stride words per step
    TSL_VEC(tsl_naive_thread) threads;
    TSL_VEC(uint64_t) members; // stride words per thread: its steps
} tsl_naive;

void tsl_naive_init(tsl_naive *naive, size_t max_steps);
void tsl_naive_drop(tsl_naive *naive);
// The event of a step and the notes behind it.
void tsl_naive_push(tsl_naive *naive, const tsl_event *events, size_t nevents);
// Several steps; returns how many.
size_t tsl_naive_push_all(tsl_naive *naive, const tsl_event *events, size_t nevents);
void tsl_naive_pop(tsl_naive *naive);
void tsl_naive_trace(tsl_naive *naive, const tsl_trace *trace); // init, and all its steps
bool tsl_naive_is_before(const tsl_naive *naive, size_t i, size_t j);
uint64_t tsl_naive_hash(const tsl_naive *naive);

// Directly, not through others.
bool tsl_naive_dependent(const tsl_naive *naive, size_t first, size_t second);

// The same, but for accesses of memory.
bool tsl_naive_synchronised(const tsl_naive *naive, size_t first, size_t second);

// For one question about one trace.
uint64_t tsl_naive_canon(const tsl_trace *trace);
bool tsl_naive_before(const tsl_trace *trace, size_t i, size_t j);

#endif
