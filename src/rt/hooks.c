// What does an instrumented instruction cost?  The bodies of the INLINE hooks (abi/hooks.def).
//
// This file is compiled to bitcode, linked into every instrumented module and inlined there.  `kind`
// and `size` are constants in the module, so each use folds to what it needs:
//
//     one thread          test a word, check the shadow of heap addresses
//     several threads     count down, check the shadow, store two words
//
// No system call, no allocation, no lock.  The scheduler decides about the step, and may switch to
// another thread, before the heap check, because that thread may free the block.  Threads are not
// switched between the event and the access.

#include "abi/hooks.h"
#include "abi/conflict.h"

#define HOOK __attribute__((always_inline, visibility("hidden")))
#define INLINE static inline __attribute__((always_inline))

INLINE bool heap_bad(uintptr_t a, uint64_t size) {
    if (a - TSL_HEAP_ADDR >= TSL_HEAP_SIZE)
        return false;
    // Accesses that cross a granule always look bad here; the slow path is exact.
    int8_t shadow = *(const int8_t *)(a >> TSL_SHADOW_SHIFT);
    return (int64_t)((a & 7u) + size) > shadow;
}

INLINE void mark_dirty(uintptr_t a, uint64_t size) {
    uint8_t *map = (uint8_t *)TSL_DIRTY_ADDR;
    map[(a >> 12) % TSL_DIRTY_SIZE] = 1;
    if (size > 1)
        map[((a + size - 1) >> 12) % TSL_DIRTY_SIZE] = 1;
}

INLINE void append(tsl_hot *hot, uint64_t head, uint32_t site) {
    uint64_t *event = (uint64_t *)hot->cursor;
    event[0] = head;
    event[1] = hot->thread_bits | site;
    hot->cursor = (tsl_event *)(event + 2);
}

// Reads the value that is about to be overwritten.  The read may crash, so the event must be written
// before; the barrier keeps the compiler from reading earlier.
INLINE void mark_event(tsl_hot *hot, const void *p, uint64_t size) {
    __asm__ volatile("" ::: "memory");
    hot->cursor[-1].res = tsl_mark_at(p, size);
}

INLINE uint64_t log2_size(uint64_t size) {
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4;
}

INLINE bool simple_size(uint64_t size) {
    return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

INLINE void access(void *p, uint32_t site, uint32_t kind, uint64_t size, uint64_t arg,
                   bool writes) {
    tsl_hot *hot = TSL_HOT;
    uintptr_t a = (uintptr_t)p;
    if (writes)
        mark_dirty(a, size);
    uint32_t recording = hot->recording;
    if (recording != TSL_RECORD_ALL) {
        if (recording != TSL_RECORD_NOTHING)
            __teasel_some_slow(p, site, kind | (uint32_t)arg << 8, size);
        else if (__builtin_expect(--hot->solo_fuel < 0 || heap_bad(a, size), 0))
            __teasel_heap_slow(p, site, kind, size);
        return;
    }
    if (__builtin_expect(--hot->fuel < 0, 0))
        __teasel_step_slow(p, site, kind, size);
    if (__builtin_expect(heap_bad(a, size), 0))
        __teasel_heap_slow(p, site, kind, size);
    append(hot, (a & 0xffffffffffffull) | (uint64_t)kind << 48 | arg << 56, site);
    if (writes && kind != TSL_EV_CAS)
        mark_event(hot, p, size);
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
    if (order != __ATOMIC_SEQ_CST && TSL_HOT->recording != TSL_RECORD_NOTHING)
        TSL_HOT->weak = 1;
}

HOOK void __teasel_cas_result(uint32_t stored, uint64_t expected, uint64_t size, uint32_t failure) {
    // With one thread nothing is recorded: the event before the cursor belongs to another step.
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return;
    tsl_event *e = TSL_HOT->cursor - 1;
    while ((failure & TSL_CAS_WEAK) && e->kind != TSL_EV_CAS) // notes of a choice follow it
        e--;
    e->res = (uint16_t)(stored | (size <= 8 ? (uint32_t)tsl_value_mark(expected) << 1 : 0));
    if (!stored)
        e->arg = (uint8_t)((e->arg & ~TSL_ARG_ORDER_BITS) | (failure & 7u) << 4);
}

HOOK uint32_t __teasel_cas_weak(void *p, uint64_t expected, uint64_t size) {
    bool may = TSL_HOT->spurious && TSL_HOT->recording != TSL_RECORD_NOTHING;
    return __builtin_expect(may, 0) ? __teasel_cas_weak_slow(p, expected, size) : 0;
}

HOOK void __teasel_rmw_result(uint32_t unchanged) {
    if (TSL_HOT->recording != TSL_RECORD_NOTHING)
        TSL_HOT->cursor[-1].res |= (uint16_t)(unchanged ? TSL_RMW_SAME : 0);
}

// The address of the frame tells calls of a recursive function apart.
HOOK void __teasel_loop(uint32_t site, uint64_t state, uint32_t enters) {
    tsl_loop *loop = TSL_HOT->loops;
    if (__builtin_expect(!loop, 1))
        return;
    loop += site % TSL_LOOPS;
    uint64_t frame = (uint64_t)__builtin_frame_address(0);
    uint64_t key = (state ^ frame << 32 ^ site) * 0x9e3779b97f4a7c15ull + frame;
    if (!enters && __builtin_expect(loop->key == key || loop->prev == key, 0)) {
        __teasel_loop_slow(loop, key, site);
        return;
    }
    loop->prev = key;
    loop->last = TSL_HOT->cursor;
    if (!enters && loop->left-- > 0)
        return;
    loop->span = loop->left = enters ? 1 : 2 * loop->span;
    loop->key = key;
    loop->since = TSL_HOT->cursor;
    loop->mark = loop->scratch = 0;
}

HOOK void __teasel_call(const tsl_extern *callee, uint32_t site) {
    TSL_HOT->call_site = site;
    TSL_HOT->opaque |= callee->class_;
    if (!callee->quiet)
        TSL_HOT->effect_at = TSL_HOT->cursor;
}

#define CALL_ARGS                                                                                  \
    uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,     \
        uint64_t a7

INLINE void hand_over(CALL_ARGS) {
    uint64_t *to = TSL_HOT->call_args;
    to[0] = a0, to[1] = a1, to[2] = a2, to[3] = a3, to[4] = a4, to[5] = a5, to[6] = a6, to[7] = a7;
}

HOOK void __teasel_extern(const tsl_extern *callee, uint32_t site, uint32_t pointers, CALL_ARGS) {
    if (__builtin_expect(callee->tells & TSL_TELLS_BEFORE, 0)) {
        hand_over(a0, a1, a2, a3, a4, a5, a6, a7);
        __teasel_extern_slow(callee, site, pointers);
    }
    __teasel_call(callee, site);
}

HOOK void __teasel_extern_done(const tsl_extern *callee, uint64_t result, CALL_ARGS) {
    if (__builtin_expect(callee->tells & TSL_TELLS_AFTER, 0)) {
        hand_over(a0, a1, a2, a3, a4, a5, a6, a7);
        __teasel_extern_done_slow(callee, result);
    }
}

HOOK void __teasel_icall(const void *callee, uint32_t site, uint32_t pointers, CALL_ARGS) {
    if (__builtin_expect(TSL_HOT->inside[(uintptr_t)callee / 16 % TSL_INSIDE] != callee, 0)) {
        hand_over(a0, a1, a2, a3, a4, a5, a6, a7);
        __teasel_icall_slow(callee, site, pointers);
    }
    TSL_HOT->call_site = site;
    TSL_HOT->opaque |= TSL_HOT->icall_class;
    if (TSL_HOT->icall_class)
        TSL_HOT->effect_at = TSL_HOT->cursor;
}

HOOK void __teasel_icall_done(const void *callee, uint64_t result) {
    if (__builtin_expect(TSL_HOT->open_call == callee, 0))
        __teasel_icall_done_slow(result);
}

HOOK void __teasel_frame(uint64_t bytes) {
    uint64_t low = (uint64_t)__builtin_frame_address(0) - bytes;
    if (low < TSL_HOT->low_stack)
        TSL_HOT->low_stack = low;
}

// The division below is left to the processor: some do not trap, and the program then goes on.
HOOK void __teasel_divides(uint64_t a, uint64_t b, uint32_t width) {
    bool too_large = (width == 32 && a == 0xffffffff80000000ull && b == UINT64_MAX) ||
                     (width == 64 && a == 1ull << 63 && b == UINT64_MAX);
    if (__builtin_expect(b == 0 || too_large, 0)) {
        volatile uint32_t any = 1, zero = 0;
        volatile uint32_t quotient = any / zero; // cppcheck-suppress zerodiv
        (void)quotient;
    }
}

// ---------------------------------------------------------------- labels

#define UNLIKELY(x) __builtin_expect((x) != 0, 0)

INLINE uint8_t labelled(const void *p) {
    return ((const uint8_t *)
                TSL_LABELLED_ADDR)[(uintptr_t)p >> TSL_LABELLED_SHIFT & (TSL_LABELLED_SIZE - 1)];
}

HOOK uint32_t __teasel_sym_binary(uint32_t code, uint32_t la, uint32_t lb, uint64_t a, uint64_t b) {
    return UNLIKELY(la | lb) ? __teasel_sym_binary_slow(code, la, lb, a, b) : 0;
}

HOOK uint32_t __teasel_sym_wide(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                uint64_t a_high, uint64_t b, uint64_t b_high) {
    return UNLIKELY(la | lb) ? __teasel_sym_wide_slow(code, la, lb, a, a_high, b, b_high) : 0;
}

HOOK void __teasel_sym_check(uint32_t code, uint32_t la, uint32_t lb, uint64_t a, uint64_t b,
                             uint32_t site) {
    if (UNLIKELY(la | lb))
        __teasel_sym_check_slow(code, la, lb, a, b, site);
}

HOOK uint32_t __teasel_sym_cast(uint32_t code, uint32_t label) {
    return UNLIKELY(label) ? __teasel_sym_cast_slow(code, label) : 0;
}

HOOK void __teasel_sym_lost(uint32_t label, uint32_t why, uint32_t site) {
    if (UNLIKELY(label))
        __teasel_sym_lost_slow(label, why, site);
}

HOOK uint32_t __teasel_sym_select(uint32_t width, uint32_t lc, uint32_t la, uint32_t lb,
                                  uint32_t cond, uint64_t a, uint64_t a_high, uint64_t b,
                                  uint64_t b_high) {
    if (UNLIKELY(lc))
        return __teasel_sym_select_slow(width, lc, la, lb, cond, a, a_high, b, b_high);
    return cond ? la : lb;
}

HOOK void __teasel_sym_branch(uint32_t label, uint32_t taken, uint32_t site) {
    if (UNLIKELY(label))
        __teasel_sym_branch_slow(label, taken, site);
}

HOOK void __teasel_sym_switch(uint32_t label, uint64_t value, const uint64_t *cases, uint32_t n,
                              uint32_t width, uint32_t site) {
    if (UNLIKELY(label))
        __teasel_sym_switch_slow(label, value, cases, n, width, site);
}

HOOK void __teasel_sym_address(uint32_t label, void *p, uint64_t size, uint32_t use, uint32_t site,
                               void *object, uint64_t object_size) {
    if (UNLIKELY(label))
        __teasel_sym_address_slow(label, p, size, use, site, object, object_size);
}

HOOK void __teasel_sym_length(uint32_t label, uint64_t size, uint32_t site) {
    if (UNLIKELY(label))
        __teasel_sym_length_slow(label, size, site);
}

HOOK uint32_t __teasel_sym_gep(uint32_t lbase, uint32_t lindex, uint64_t base, uint64_t index,
                               uint64_t scale, uint32_t index_width) {
    return UNLIKELY(lbase | lindex)
               ? __teasel_sym_gep_slow(lbase, lindex, base, index, scale, index_width)
               : 0;
}

HOOK uint32_t __teasel_sym_load(const void *p, uint32_t width, uint32_t lp, uint64_t low,
                                uint64_t high) {
    return UNLIKELY(labelled(p) | lp) ? __teasel_sym_load_slow(p, width, lp, low, high) : 0;
}

HOOK void __teasel_sym_unfollowed(const void *p, uint64_t size, uint32_t site) {
    if (UNLIKELY(labelled(p)) || size > 16)
        __teasel_sym_unfollowed_slow(p, size, site);
}

HOOK void __teasel_sym_store(void *p, uint64_t size, uint32_t label) {
    if (UNLIKELY(labelled(p) | label) || size > 16)
        __teasel_sym_store_slow(p, size, label);
}

HOOK uint32_t __teasel_sym_rmw(uint32_t code, void *p, uint32_t label, uint64_t old,
                               uint64_t value) {
    return UNLIKELY(labelled(p) | label) ? __teasel_sym_rmw_slow(code, p, label, old, value) : 0;
}

HOOK uint32_t __teasel_sym_cas(uint32_t width, void *p, uint32_t lexpected, uint32_t lwanted,
                               uint64_t old, uint64_t expected, uint32_t stored, uint32_t site) {
    return UNLIKELY(labelled(p) | lexpected | lwanted)
               ? __teasel_sym_cas_slow(width, p, lexpected, lwanted, old, expected, stored, site)
               : 0;
}

HOOK void __teasel_sym_copy(void *to, const void *from, uint64_t n) {
    if (n <= 16 && !(labelled(to) | labelled(from)))
        return;
    __teasel_sym_copy_slow(to, from, n);
}

HOOK void __teasel_sym_fill(void *to, uint32_t label, uint64_t n) {
    if (n <= 16 && !(labelled(to) | label))
        return;
    __teasel_sym_fill_slow(to, label, n);
}

HOOK uint32_t __teasel_sym_function(uint32_t code, uint32_t la, uint32_t lb, uint32_t lc,
                                    uint64_t a, uint64_t b, uint64_t c) {
    return UNLIKELY(la | lb | lc) ? __teasel_sym_function_slow(code, la, lb, lc, a, b, c) : 0;
}

HOOK uint32_t __teasel_sym_overflows(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                     uint64_t b) {
    return UNLIKELY(la | lb) ? __teasel_sym_overflows_slow(code, la, lb, a, b) : 0;
}

HOOK void __teasel_sym_outside(const tsl_extern *callee, const void *p, uint32_t site) {
    if (UNLIKELY(TSL_HOT->labelled) && callee->class_)
        __teasel_sym_outside_slow(callee, p, site);
}

HOOK void __teasel_sym_leaves(uint32_t label, const void *p) {
    if (UNLIKELY(label) || (UNLIKELY(TSL_HOT->labelled) && p))
        __teasel_sym_leaves_slow(label, p);
}

HOOK void __teasel_sym_arg(uint32_t any, uint32_t place, uint32_t label) {
    if (UNLIKELY(any))
        TSL_HOT->args[place] = label;
}

HOOK void __teasel_sym_args(uint32_t any, const void *callee, uint32_t n) {
    if (UNLIKELY(any))
        __teasel_sym_args_slow(callee, n);
}

HOOK uint32_t __teasel_sym_byval(uint32_t place, const void *p, uint64_t size) {
    return __teasel_sym_byval_slow(place, p, size);
}

HOOK uint32_t __teasel_sym_enter(const void *self) {
    if (__builtin_expect(TSL_HOT->args_for != self, 1))
        return 0;
    TSL_HOT->args_for = 0;
    return 1;
}

HOOK uint32_t __teasel_sym_param(uint32_t any, uint32_t place) {
    return UNLIKELY(any) ? TSL_HOT->args[place] : 0;
}

HOOK void __teasel_sym_byval_in(uint32_t any, uint32_t place, void *p, uint64_t size) {
    if (UNLIKELY(any))
        __teasel_sym_byval_in_slow(place, p, size);
}

HOOK const void *__teasel_sym_variadic(uint32_t any, uint32_t fixed) {
    return UNLIKELY(any) ? __teasel_sym_variadic_slow(fixed) : 0;
}

HOOK void __teasel_sym_va_start(void *list, const void *labels, uint32_t fixed) {
    if (UNLIKELY(labels))
        __teasel_sym_va_start_slow(list, labels, fixed);
}

HOOK void __teasel_sym_give(uint32_t any, uint32_t place, uint32_t label) {
    if (UNLIKELY(any))
        TSL_HOT->ret[place] = label;
}

// The word is written by every return, so that labels which an earlier call has left there are not
// taken for those of this call.
HOOK void __teasel_sym_return(uint32_t any, const void *self) {
    TSL_HOT->ret_from = any ? self : 0;
}

HOOK uint32_t __teasel_sym_returned(const void *callee) {
    if (__builtin_expect(TSL_HOT->ret_from != callee, 1))
        return 0;
    TSL_HOT->ret_from = 0;
    return 1;
}

HOOK uint32_t __teasel_sym_result(uint32_t any, uint32_t place) {
    return UNLIKELY(any) ? TSL_HOT->ret[place] : 0;
}
