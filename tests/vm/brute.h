// What can a model program do?
//
// Brute force goes through every interleaving, one by one, for all values of the inputs.  It is
// plain recursion over machine states and uses nothing of src/explore.  Inputs that lead the same
// way give one interleaving.
//
// With `eager`, START and END of created threads are executed as soon as possible (END not if some
// thread tries to join).  They depend on nothing that can still come, so the same classes, final
// states and races are found in far fewer interleavings.  The number of interleavings and their
// preemptions mean nothing then.
#ifndef TSL_VM_BRUTE_H
#define TSL_VM_BRUTE_H

#include "vm/machine.h"

typedef TSL_VEC(uint64_t) tsl_vm_hashes; // sorted, each once

// Interleavings with one happens-before relation.
typedef struct tsl_vm_class {
    uint64_t canon;
    uint64_t final;  // all of them end in this state
    uint64_t end;    // its outline
    bool spun;       // a thread spun in vain
    uint8_t outcome; // enum tsl_outcome; of all of them
    uint64_t interleavings;
    uint32_t preemptions; // the fewest of all of them
} tsl_vm_class;

// Two accesses of the same bytes, one a write, not both atomic.
typedef struct tsl_vm_race {
    uint32_t low, high; // sites
} tsl_vm_race;

typedef TSL_VEC(tsl_vm_race) tsl_vm_races; // sorted, each once

typedef struct tsl_vm_brute {
    bool eager;
    bool inconsistent; // a class ended in two states, so the dependence relation is wrong
    uint64_t interleavings, nodes;
    uint64_t runs;                 // interleavings, counted once for every input
    uint64_t paths;                // how branches came out in each thread; 1 if there are none
    uint64_t by_preemptions[16];   // interleavings with that many; in the last: or more
    TSL_VEC(tsl_vm_class) classes; // sorted by canon
    tsl_vm_hashes finals;          // states at the end, deadlocks too
    tsl_vm_hashes deadlocks;
    tsl_vm_hashes rejected; // states in which an assumption did not hold
    tsl_vm_hashes ends;     // outlines of runs in which no thread spun in vain
    tsl_vm_races races;     // pairs of accesses that were pending at the same time
    // By the definition (c11.h), if it was asked for: the pairs that are not ordered in some
    // interleaving, and those of them that no other race keeps apart.
    bool by_definition;
    tsl_vm_races unordered, first;
} tsl_vm_brute;

// Returns false if there are more than `limit` runs.  The result must be dropped in either case.
bool tsl_vm_brute_run(tsl_vm_brute *brute, const tsl_vm_program *program, uint64_t limit,
                      bool eager);
// The same with `eager`, and with races by their definition in every interleaving.
bool tsl_vm_brute_races(tsl_vm_brute *brute, const tsl_vm_program *program, uint64_t limit);
// The same for loops that wait and go on, which may never end, with a bound on preemptions.
bool tsl_vm_brute_spin(tsl_vm_brute *brute, const tsl_vm_program *program, uint64_t limit,
                       uint32_t preemptions);
void tsl_vm_brute_drop(tsl_vm_brute *brute);

void tsl_vm_hashes_tidy(tsl_vm_hashes *hashes); // sorts, keeps each once

// The classes that have an interleaving with at most this many preemptions.
void tsl_vm_brute_bounded(const tsl_vm_brute *brute, uint32_t preemptions, tsl_vm_hashes *out);

#endif
