// Fast paths: what an instrumented instruction costs.
//
// Compiled to bitcode, linked into every instrumented module and inlined there,
// with `kind` and `size` constant, so that each use folds to what it needs:
//
//     one thread          test a word, check the shadow of heap addresses
//     several threads     count down, check the shadow, store two words
//
// No system call, no allocation, no lock.  The step is decided (and the thread
// may be switched away) before the heap check, because another thread may free
// the block in between; nothing is switched between the event and the access.
#include <stdbool.h>

#include "abi/conflict.h"
#include "abi/hooks.h"

#define HOOK __attribute__((always_inline, visibility("hidden")))

static inline __attribute__((always_inline)) bool heap_bad(uintptr_t a, uint64_t size) {
    if (a - TSL_HEAP_ADDR >= TSL_HEAP_SIZE)
        return false;
    // Accesses that cross a granule always look bad here; the slow path is exact.
    int8_t shadow = *(const int8_t *)(a >> TSL_SHADOW_SHIFT);
    return (int64_t)((a & 7u) + size) > shadow;
}

static inline __attribute__((always_inline)) void mark_dirty(uintptr_t a, uint64_t size) {
    uint8_t *map = (uint8_t *)TSL_DIRTY_ADDR;
    map[(a >> 12) % TSL_DIRTY_SIZE] = 1;
    if (size > 1)
        map[((a + size - 1) >> 12) % TSL_DIRTY_SIZE] = 1;
}

static inline __attribute__((always_inline)) void append(tsl_hot *hot, uint64_t head, uint32_t site,
                                                         uint64_t res) {
    uint64_t *event = (uint64_t *)hot->cursor;
    event[0] = head;
    event[1] = hot->thread_bits | site | res << 48;
    hot->cursor = (tsl_event *)(event + 2);
}

static inline __attribute__((always_inline)) uint64_t log2_size(uint64_t size) {
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4;
}

static inline __attribute__((always_inline)) bool simple_size(uint64_t size) {
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

// Of the value that is about to be overwritten.  Not on stacks: what lies there before the first
// write may be the runtime's own, and differ from run to run.
static inline __attribute__((always_inline)) uint64_t mark_at(const void *p, uint64_t size) {
    if ((uintptr_t)p - TSL_STACK_ADDR < TSL_SNAPSHOT_ADDR - TSL_STACK_ADDR)
        return 0;
    switch (size) {
    case 1:
        return tsl_value_mark(*(const uint8_t *)p);
    case 2:
        return tsl_value_mark(*(const uint16_t *)p);
    case 4:
        return tsl_value_mark(*(const uint32_t *)p);
    case 8:
        return tsl_value_mark(*(const uint64_t *)p);
    default:
        return 0;
    }
}

static inline __attribute__((always_inline)) void access(void *p, uint32_t site, uint32_t kind,
                                                         uint64_t size, uint64_t arg, bool writes) {
    tsl_hot *hot = TSL_HOT;
    uintptr_t a = (uintptr_t)p;
    if (writes)
        mark_dirty(a, size);
    uint32_t recording = hot->recording;
    if (recording != TSL_RECORD_ALL) {
        if (recording != TSL_RECORD_NOTHING)
            __teasel_filter_slow(p, site, kind | (uint32_t)arg << 8, size);
        else if (__builtin_expect(--hot->solo_fuel < 0 || heap_bad(a, size), 0))
            __teasel_heap_slow(p, site, kind, size);
        return;
    }
    if (__builtin_expect(--hot->fuel < 0, 0))
        __teasel_step_slow(p, site, kind, size);
    if (__builtin_expect(heap_bad(a, size), 0))
        __teasel_heap_slow(p, site, kind, size);
    append(hot, (a & 0xffffffffffffull) | (uint64_t)kind << 48 | arg << 56, site,
           writes && kind != TSL_EV_CAS ? mark_at(p, size) : 0);
}

HOOK void __teasel_access(void *p, uint32_t site, uint32_t kind, uint64_t size) {
    if (!simple_size(size)) {
        __teasel_range_slow(p, site, kind, size);
        return;
    }
    access(p, site, kind, size, log2_size(size), kind == TSL_EV_WRITE || kind == TSL_EV_VWRITE);
}

HOOK void __teasel_range(void *p, uint32_t site, uint32_t kind, uint64_t size) {
    if (size)
        __teasel_range_slow(p, site, kind, size);
}

HOOK void __teasel_atomic(void *p, uint32_t site, uint32_t kind, uint64_t size, uint32_t order) {
    access(p, site, kind, size, log2_size(size) | (uint64_t)order << 4, kind != TSL_EV_AREAD);
}

HOOK void __teasel_cas_result(uint32_t stored, uint64_t expected, uint64_t size) {
    // With one thread nothing was recorded, and the word before the cursor is someone else's.
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        TSL_HOT->cursor[-1].res =
            (uint16_t)(stored | (size <= 8 ? (uint32_t)tsl_value_mark(expected) << 1 : 0));
}

HOOK void __teasel_call(const tsl_extern *callee, uint32_t site) {
    TSL_HOT->call_site = site;
    TSL_HOT->opaque |= callee->class_;
}

HOOK void __teasel_icall(uint32_t site) {
    TSL_HOT->call_site = site;
    TSL_HOT->opaque |= TSL_HOT->icall_class;
}

HOOK void __teasel_frame(uint64_t bytes) {
    uint64_t low = (uint64_t)__builtin_frame_address(0) - bytes;
    if (low < TSL_HOT->low_stack)
        TSL_HOT->low_stack = low;
}
