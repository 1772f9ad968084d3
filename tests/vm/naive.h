// Which steps of a Trace happen before which, by the definition?
//
// This is the reference for every clock of the tool.  It has no clocks: the past of a step is the
// set of all earlier steps that it depends on, together with their pasts.  A step e depends on an
// earlier step d if
//
//     both are of one thread, or d created or woke the thread of e,
//     or two of their accesses conflict (abi/conflict.h),
//     or both may touch anything,
//     or both arrive at one barrier, in different rounds,
//     or e leaves the round of a barrier in which d arrived.
//
// A BRANCH depends only on steps of its own thread.
//
// Two Traces are equivalent if every thread takes the same steps with the same pasts.  They have
// the same canonical hash then, which is made of the steps of each thread, each with its label and
// with the number of steps of every thread in its past.
//
// A step is named by its index among the steps; notes do not count.
#ifndef TSL_VM_NAIVE_H
#define TSL_VM_NAIVE_H

#include "abi/conflict.h"
#include "trace/trace.h"

typedef struct tsl_naive_step {
    uint64_t hash;         // of the steps of its thread before it
    uint64_t barrier;      // the barrier it arrives at or leaves, or 0
    uint32_t round;        // of that barrier
    uint32_t first_access; // index into `accesses`
    uint32_t first_wake;   // index into `wakes`
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
    size_t stride; // length of a set of steps, in words
    TSL_VEC(tsl_naive_step) steps;
    TSL_VEC(tsl_access) accesses;
    TSL_VEC(uint16_t) wakes;
    TSL_VEC(uint64_t) pasts; // stride words per step
    TSL_VEC(tsl_naive_thread) threads;
    TSL_VEC(uint64_t) members; // stride words per thread: its steps
} tsl_naive;

void tsl_naive_init(tsl_naive *naive, size_t max_steps);
void tsl_naive_drop(tsl_naive *naive);
// Pushes one step: its event and the notes after it.
void tsl_naive_push(tsl_naive *naive, const tsl_event *events, size_t nevents);
// Pushes several steps and returns how many they were.
size_t tsl_naive_push_all(tsl_naive *naive, const tsl_event *events, size_t nevents);
void tsl_naive_pop(tsl_naive *naive);
void tsl_naive_trace(tsl_naive *naive, const tsl_trace *trace); // init, and all its steps
bool tsl_naive_is_before(const tsl_naive *naive, size_t i, size_t j);
uint64_t tsl_naive_hash(const tsl_naive *naive);

// Does the later step depend on the earlier one directly?
bool tsl_naive_dependent(const tsl_naive *naive, size_t first, size_t second);

// The same, but for accesses of memory.
bool tsl_naive_synchronised(const tsl_naive *naive, size_t first, size_t second);

// For a single question about one Trace.
uint64_t tsl_naive_canon(const tsl_trace *trace);
bool tsl_naive_before(const tsl_trace *trace, size_t i, size_t j);

#endif
