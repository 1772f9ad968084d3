// A set of 64-bit numbers (hashes, mostly): was this one seen before?
//
// Open addressing with linear probing.  It can't be iterated, so the order of its slots can't
// influence what is explored or printed.  All zero is empty.
#ifndef TSL_BASE_SET_H
#define TSL_BASE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tsl_set {
    uint64_t *slots; // 0: free; cap is 0 or a power of two, at most 3/4 used
    size_t len, cap; // len counts 0, too, if it is in
    bool has_zero;   // 0 is in; it can't stand in a slot
} tsl_set;

bool tsl_set_insert(tsl_set *set, uint64_t x); // true if it was new
bool tsl_set_has(const tsl_set *set, uint64_t x);
void tsl_set_clear(tsl_set *set); // keeps the memory
void tsl_set_drop(tsl_set *set);

#endif
