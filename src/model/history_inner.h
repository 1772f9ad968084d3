// Between the files of a history: where things lie in its tables, and what one of them does for another.
//
//     history.c           steps: appending, cutting off, clocks, hash
//     history_object.c    the table of objects and of cells of memory
//     history_touch.c     what a step touches, and which steps before it that makes it depend on
//     history_behind.c    conflicts with steps that are there
#ifndef TSL_MODEL_HISTORY_INNER_H
#define TSL_MODEL_HISTORY_INNER_H

#include "model/history.h"

enum { TSL_PAGE_SHIFT = 10 }; // of a cell's key: 4096 bytes

// ---------------------------------------------------------------- objects

// Where the object with that key is in the index, or would be.
static inline size_t tsl_object_place(const tsl_history *h, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (h->index_size - 1);
    while (h->index[at] && h->objects.data[h->index[at] - 1].key != key)
        at = (at + 1) & (h->index_size - 1);
    return at;
}

static inline uint32_t tsl_object_find(const tsl_history *h, uint64_t key) {
    return h->index[tsl_object_place(h, key)] - 1; // TSL_NONE if not there
}

// May an object that begins before these eight bytes reach into them?
static inline bool tsl_object_may_reach(const tsl_history *h, uint64_t eight) {
    return h->reached[eight / 64 % (TSL_REACHED_BITS / 64)] >> eight % 64 & 1;
}

// `at`: its place in the index.
uint32_t tsl_object_new(tsl_history *h, uint64_t key, size_t at);

static inline uint32_t tsl_object_at(tsl_history *h, uint64_t key) {
    size_t at = tsl_object_place(h, key);
    return h->index[at] ? h->index[at] - 1 : tsl_object_new(h, key, at);
}

static inline uint64_t tsl_memory_key(uint64_t addr) { return addr >> 3 << 1; }

// The object at that address; it takes so many bytes.
uint32_t tsl_object_sync(tsl_history *h, uint64_t addr, uint64_t size);

// ---------------------------------------------------------------- touches

// Of several steps of one thread only the latest counts: the others happen before it.  So a step
// has at most one dependence for each thread and access, however often that thread looked.
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

// Access number `access` of the last step: what it touches is kept, and what it depends on is added to
// the history's dependences.
void tsl_history_touch_memory(tsl_history *h, const tsl_access *a, unsigned access);
void tsl_history_touch_object(tsl_history *h, const tsl_access *a, unsigned access);
void tsl_history_forget_touches(tsl_history *h, uint32_t n); // those behind the first n
void tsl_history_note_cas(tsl_history *h);                   // there is a compare-and-swap

#endif
