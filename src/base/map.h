// A map from 64-bit numbers (hashes, mostly) to 64-bit numbers.
//
// As base/set.h: it can't be iterated, so the order of its slots can't influence what is explored
// or printed.  All zero is empty.
#ifndef TSL_BASE_MAP_H
#define TSL_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tsl_map_slot {
    uint64_t key, value;
} tsl_map_slot;

typedef struct tsl_map {
    tsl_map_slot *slots; // key 0: free; cap is 0 or a power of two, at most 3/4 used
    size_t len, cap;     // len counts key 0 too if it is in
    bool has_zero;       // key 0 itself can't stand in a slot
    uint64_t of_zero;
} tsl_map;

// The value of a key.  A new key gets the value 0, and *fresh says so (fresh may be NULL).  The
// pointer is valid until the next key is put in.
uint64_t *tsl_map_put(tsl_map *map, uint64_t key, bool *fresh);
// Returns NULL if the key is not in the map.
const uint64_t *tsl_map_get(const tsl_map *map, uint64_t key);
void tsl_map_drop(tsl_map *map);

#endif
