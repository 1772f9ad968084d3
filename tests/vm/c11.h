// Which accesses race, straight from the standard?
//
// The reference that src/model/sync.c is held to.  No clocks and no cleverness: C17 5.1.2.4 and 7.17.4
// word for word, for one interleaving at a time (consume counts as acquire).
//
//     release sequence       of a byte, headed by X: X, and the stores behind it in the order of
//                            the run, as long as each is atomic and is of X's thread or a
//                            read-modify-write
//     X synchronises with B  B is an atomic load that acquires, X an atomic store that releases, and
//                            B reads from X's release sequence
//     a release fence F      stands for X if F is before X in X's thread; X need not release
//     an acquire fence G     stands for B if B is before G in B's thread; B need not acquire
//     happens before         the transitive closure of that, of program order and of all other
//                            synchronisation (naive.h)
//
// Two accesses race that have a byte in common, one a store, not both atomic, of different threads,
// neither before the other.  `unordered` are those pairs.  `first` are those of them that no other
// race keeps apart: if two accesses that race are taken to be ordered as they were executed,
// there is no way from the one to the other but the direct one.
#ifndef TSL_VM_C11_H
#define TSL_VM_C11_H

#include "vm/naive.h"

typedef struct tsl_c11 {
    size_t stride;                      // words of a set of steps
    TSL_VEC(uint64_t) pasts;            // stride words for each step: what happens before it
    TSL_VEC(uint64_t) after_races;      // the same, if races order
    TSL_VEC(uint32_t) unordered, first; // of the step pushed last: the other one of each pair
} tsl_c11;

void tsl_c11_init(tsl_c11 *c, size_t max_steps);
void tsl_c11_drop(tsl_c11 *c);
// The next step of `naive`.
void tsl_c11_push(tsl_c11 *c, const tsl_naive *naive);
void tsl_c11_pop(tsl_c11 *c);
size_t tsl_c11_len(const tsl_c11 *c);

// Do races order?
bool tsl_c11_before(const tsl_c11 *c, size_t i, size_t j, bool races);

#endif
