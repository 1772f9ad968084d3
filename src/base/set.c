// A set of 64-bit numbers; see set.h.
#include "base/set.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

// The slot that holds x, or the free slot where x belongs.
static size_t find(const uint64_t *slots, size_t cap, uint64_t x) {
    size_t i = tsl_hash_spread(x) & (cap - 1);
    while (slots[i] != 0 && slots[i] != x)
        i = (i + 1) & (cap - 1);
    return i;
}

static void grow(tsl_set *set) {
    size_t cap = set->cap ? set->cap * 2 : 64;
    uint64_t *slots = tsl_alloc_array(cap, sizeof *slots);
    for (size_t i = 0; i < set->cap; i++)
        if (set->slots[i])
            slots[find(slots, cap, set->slots[i])] = set->slots[i];
    tsl_free(set->slots);
    set->slots = slots;
    set->cap = cap;
}

bool tsl_set_insert(tsl_set *set, uint64_t x) {
    if (x == 0) {
        bool fresh = !set->has_zero;
        set->has_zero = true;
        set->len += fresh;
        return fresh;
    }
    if (set->len >= set->cap / 4 * 3)
        grow(set);
    size_t i = find(set->slots, set->cap, x);
    if (set->slots[i])
        return false;
    set->slots[i] = x;
    set->len++;
    return true;
}

bool tsl_set_has(const tsl_set *set, uint64_t x) {
    if (x == 0)
        return set->has_zero;
    return set->cap && set->slots[find(set->slots, set->cap, x)] == x;
}

void tsl_set_clear(tsl_set *set) {
    if (set->slots)
        memset(set->slots, 0, set->cap * sizeof *set->slots);
    set->len = 0;
    set->has_zero = false;
}

void tsl_set_drop(tsl_set *set) {
    tsl_free(set->slots);
    *set = (tsl_set){0};
}
