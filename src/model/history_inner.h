// What do the files of a history share?
//
//     history.c           steps: appending, cutting off, clocks, hash
//     history_object.c    the table of objects and of cells of memory
//     history_touch.c     what a step touches, and which earlier steps it depends on for that
//     history_behind.c    which steps of the history conflict with a given operation
#ifndef TSL_MODEL_HISTORY_INNER_H
#define TSL_MODEL_HISTORY_INNER_H

#include "model/history.h"

enum { TSL_PAGE_SHIFT = 10 }; // a cell's key >> this is the number of its page of 4096 bytes

// ---------------------------------------------------------------- objects

// The place in the index where the object with this key is, or would be.
static inline size_t tsl_object_place(const tsl_history *h, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (h->index_size - 1);
    while (h->index[at] && h->objects.data[h->index[at] - 1].key != key)
        at = (at + 1) & (h->index_size - 1);
    return at;
}

static inline uint32_t tsl_object_find(const tsl_history *h, uint64_t key) {
    return h->index[tsl_object_place(h, key)] - 1; // TSL_NONE if there is no such object
}

// May an object that begins before these eight bytes reach into them?
static inline bool tsl_object_may_reach(const tsl_history *h, uint64_t eight) {
    return h->reached[eight / 64 % (TSL_REACHED_BITS / 64)] >> eight % 64 & 1;
}

// Adds an object; `at` is its place in the index.
uint32_t tsl_object_new(tsl_history *h, uint64_t key, size_t at);

static inline uint32_t tsl_object_at(tsl_history *h, uint64_t key) {
    size_t at = tsl_object_place(h, key);
    return h->index[at] ? h->index[at] - 1 : tsl_object_new(h, key, at);
}

static inline uint64_t tsl_memory_key(uint64_t addr) { return addr >> 3 << 1; }

// The object at this address, which takes at least `size` bytes.
uint32_t tsl_object_sync(tsl_history *h, uint64_t addr, uint64_t size);

// ---------------------------------------------------------------- touches

// Adds a dependence of the last step on `step`.  Of several steps of one thread only the latest
// counts, because the others happen before it.  So a step has at most one dependence for each
// thread and access.
static inline void tsl_history_depend(tsl_history *h, uint32_t step, unsigned access) {
    unsigned slot = h->steps.data[step].slot;
    if (slot == tsl_vec_last(&h->steps).slot)
        return;
    uint32_t at = h->dep_of[slot];
    if (h->deps.len > h->deps_from && at >= h->deps_from && at < h->deps.len &&
        h->deps.data[at].slot == slot) {
        if (h->deps.data[at].step < step)
            h->deps.data[at].step = step;
        return;
    }
    h->dep_of[slot] = (uint32_t)h->deps.len;
    tsl_vec_push(&h->deps, (tsl_dep){step, (uint16_t)access, (uint16_t)slot});
}

// Record what access number `access` of the last step touches, and add the steps that it depends on
// to the history's dependences.
void tsl_history_touch_memory(tsl_history *h, const tsl_access *a, unsigned access);
void tsl_history_touch_object(tsl_history *h, const tsl_access *a, unsigned access);
// Forgets all touches but the first n.
void tsl_history_forget_touches(tsl_history *h, uint32_t n);
// Called at the first compare-and-swap of a history.
void tsl_history_note_cas(tsl_history *h);

#endif
