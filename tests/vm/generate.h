// How are random model programs made in which something can go wrong?
//
// A profile says which primitives appear.  There are few objects, so that threads meet.  Locks are
// mostly nested properly, sometimes in opposite orders.  No program does anything that POSIX leaves
// undefined.
#ifndef TSL_VM_GENERATE_H
#define TSL_VM_GENERATE_H

#include "vm/program.h"

enum tsl_vm_profile {
    TSL_VM_MEMORY,
    TSL_VM_LOCKS,
    TSL_VM_CONDITIONS,
    TSL_VM_SEMAPHORES,
    TSL_VM_RWLOCKS,
    TSL_VM_BARRIERS, // and once
    TSL_VM_ATOMICS,
    TSL_VM_CHOICES,
    TSL_VM_THREADING, // nested create, join, tryjoin
    TSL_VM_EVERYTHING,
    TSL_VM_PROFILE_COUNT,
    // With inputs.
    TSL_VM_ALONE = TSL_VM_PROFILE_COUNT, // of one thread
    TSL_VM_BRANCHES,
    TSL_VM_PINS,
    TSL_VM_ASSUMPTIONS,
    TSL_VM_INPUT_CHOICES,
    TSL_VM_INPUT_ATOMICS,
    TSL_VM_INPUT_EVERYTHING,
    TSL_VM_SMALL_PROFILES,                 // those before have small programs for brute force, too
    TSL_VM_CROWDS = TSL_VM_SMALL_PROFILES, // threads of few steps that get in each other's way
    TSL_VM_ALL_PROFILES,
    TSL_VM_WAITS = TSL_VM_ALL_PROFILES, // with loops that wait; small and large
    TSL_VM_CANCELS,                     // threads that are cancelled; small and large
    TSL_VM_EXITS,                       // several threads end the process; small and large
    TSL_VM_ORDERS,                      // with memory orders and fences; small and large
    TSL_VM_OPAQUES,                     // steps that may touch anything; small and large
    TSL_VM_KILLS                        // threads that send each other a signal; small and large
};

extern const char *const tsl_vm_profile_names[]; // ends with NULL

// Large programs are for searches that need not see every interleaving.
enum tsl_vm_size { TSL_VM_SMALL, TSL_VM_LARGE };

void tsl_vm_generate_waits(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed);
void tsl_vm_generate_opaques(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed);
void tsl_vm_generate_cancels(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed);
void tsl_vm_generate_kills(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed);
void tsl_vm_generate_exits(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed);

void tsl_vm_generate_orders(tsl_vm_program *program, enum tsl_vm_size size, uint64_t seed);

void tsl_vm_generate(tsl_vm_program *program, enum tsl_vm_profile profile, enum tsl_vm_size size,
                     uint64_t seed);

#endif
