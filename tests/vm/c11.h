// Which accesses race, by the words of the standard?
//
// This is the reference for src/model/sync.c, without clocks or any cleverness: C17 5.1.2.4 and
// 7.17.4 word for word, for one interleaving at a time.  (Consume counts as acquire.)
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
// Two accesses race if they are of different threads, have a byte in common, at least one is a
// store, they are not both atomic, and neither happens before the other.  `unordered` lists these
// pairs.  `first` lists those that no other race keeps apart: if accesses that race count as
// ordered in the way they ran, the only chain from the one access to the other is their own race.
#ifndef TSL_VM_C11_H
#define TSL_VM_C11_H

#include "vm/naive.h"

typedef struct tsl_c11 {
    size_t stride;                      // length of a set of steps, in words
    TSL_VEC(uint64_t) pasts;            // stride words for each step: what happens before it
    TSL_VEC(uint64_t) after_races;      // the same if accesses that race count as ordered
    TSL_VEC(uint32_t) unordered, first; // the steps that make a pair with the step pushed last
} tsl_c11;

void tsl_c11_init(tsl_c11 *c, size_t max_steps);
void tsl_c11_drop(tsl_c11 *c);
// Pushes the next step of `naive`.
void tsl_c11_push(tsl_c11 *c, const tsl_naive *naive);
void tsl_c11_pop(tsl_c11 *c);
size_t tsl_c11_len(const tsl_c11 *c);

// Does i happen before j?  With `races`, accesses that race count as ordered.
bool tsl_c11_before(const tsl_c11 *c, size_t i, size_t j, bool races);

#endif
