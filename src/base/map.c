// A map of 64-bit numbers; see map.h.
#include "base/map.h"

#include "base/hash.h"
#include "base/mem.h"

// The slot that holds the key, or the free slot where the key belongs.
static tsl_map_slot *find(tsl_map_slot *slots, size_t cap, uint64_t key) {
    size_t i = tsl_hash_spread(key) & (cap - 1);
    while (slots[i].key != 0 && slots[i].key != key)
        i = (i + 1) & (cap - 1);
    return &slots[i];
}

static void grow(tsl_map *map) {
    size_t cap = map->cap ? map->cap * 2 : 64;
    tsl_map_slot *slots = tsl_alloc_array(cap, sizeof *slots);
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].key)
            *find(slots, cap, map->slots[i].key) = map->slots[i];
    tsl_free(map->slots);
    map->slots = slots;
    map->cap = cap;
}

static bool take(tsl_map *map, uint64_t key, uint64_t **value) {
    if (key == 0) {
        bool taken = !map->has_zero;
        map->has_zero = true;
        *value = &map->of_zero;
        return taken;
    }
    if (map->len >= map->cap / 4 * 3)
        grow(map);
    tsl_map_slot *slot = find(map->slots, map->cap, key);
    bool taken = slot->key == 0;
    slot->key = key;
    *value = &slot->value;
    return taken;
}

uint64_t *tsl_map_put(tsl_map *map, uint64_t key, bool *fresh) {
    uint64_t *value;
    bool taken = take(map, key, &value);
    map->len += taken;
    if (fresh)
        *fresh = taken;
    return value;
}

const uint64_t *tsl_map_get(const tsl_map *map, uint64_t key) {
    if (key == 0)
        return map->has_zero ? &map->of_zero : NULL;
    if (!map->cap)
        return NULL;
    const tsl_map_slot *slot = find(map->slots, map->cap, key);
    return slot->key ? &slot->value : NULL;
}

void tsl_map_drop(tsl_map *map) {
    tsl_free(map->slots);
    *map = (tsl_map){0};
}
