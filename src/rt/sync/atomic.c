// Atomic operations that the compiler leaves to a library: 16 bytes and odd sizes.
//
// One thread runs at a time, so plain code between two steps is atomic.  Calls made
// by instrumented code come with a site and are steps.  Calls that the back end makes for an
// instruction come without one, because a hook has already announced that instruction.
#include <string.h>

#include "../notes.h"
#include "../quick.h"
#include "../start.h"
#include "objects.h"

typedef unsigned __int128 u128;

static bool step(unsigned kind, const void *p, size_t size, int order) {
    uint32_t site = tslrt_take_site();
    bool simple = size && size <= 16 && (size & (size - 1)) == 0;
    if (kind != TSL_EV_AREAD)
        tslrt_wrote(p, size);
    if (!site || TSL_HOT->recording == TSL_RECORD_NOTHING) {
        tslrt_heap_check((uintptr_t)p, size, site, kind);
        return false;
    }
    TSL_HOT->call_site = site;
    unsigned code = simple ? (unsigned)__builtin_ctzl(size) : TSL_ARG_RANGE;
    tslrt_op_sized(kind, p, code);
    TSL_HOT->cursor[-1].arg |= (uint8_t)((unsigned)order << 4);
    TSL_HOT->weak |= order != __ATOMIC_SEQ_CST;
    if (!simple)
        tslrt_note(TSL_EV_LENGTH, size, 0);
    tslrt_heap_check_also((uintptr_t)p, size, site, kind);
    return true;
}

static void cas_result(bool stored, int failure) {
    tslrt_result(stored);
    tsl_event *e = TSL_HOT->cursor - 1;
    while (e->kind != TSL_EV_CAS)
        e--;
    if (!stored)
        e->arg = (uint8_t)((e->arg & ~TSL_ARG_ORDER_BITS) | (unsigned)failure << 4);
}

// The call does not say whether the compare-and-swap is a weak one.
static void note_wide_cas(void) {
    if (TSL_HOT->spurious)
        tslrt_weaken(TSL_REASON_UNCONTROLLED,
                     "a compare-and-swap of more than eight bytes never fails for no reason, also "
                     "with --spurious and if it is a weak one");
}

// It is a choice whether a weak compare-and-swap that could succeed fails.  The step counts as a
// store either way, so that the same steps depend on it.
TSL_SLOW uint32_t __teasel_cas_weak_slow(void *p, uint64_t expected, uint64_t size) {
    uint64_t value = 0;
    if (size > sizeof value) {
        note_wide_cas();
        return 0;
    }
    memcpy(&value, p, size);
    if (value != expected)
        return 0;
    unsigned fails = tslrt_choose(2);
    tslrt_also(TSL_EV_AWRITE, p, 0, (unsigned)__builtin_ctzl(size));
    return fails;
}

// The compiler knows these names as builtins, so they are defined under others.
#define LIBCALL(type, name, ...)                                                                   \
    API type tslrt_libcall_##name(__VA_ARGS__) __asm__(#name);                                     \
    API type tslrt_libcall_##name(__VA_ARGS__)

// The other operands are in memory, too, and their accesses are not atomic.
LIBCALL(void, __atomic_load, size_t size, void *from, void *to, int order) {
    bool recorded = step(TSL_EV_AREAD, from, size, order);
    memcpy(to, from, size);
    tslrt_wrote(to, size);
    if (recorded)
        tslrt_call_writes(to, size, TSL_HOT->cursor[-1].site);
}

LIBCALL(void, __atomic_store, size_t size, void *to, void *from, int order) {
    if (step(TSL_EV_AWRITE, to, size, order))
        tslrt_call_reads(from, size, TSL_HOT->cursor[-1].site);
    memcpy(to, from, size);
}

LIBCALL(void, __atomic_exchange, size_t size, void *at, void *value, void *old, int order) {
    bool recorded = step(TSL_EV_RMW, at, size, order);
    unsigned char kept[size > 256 ? 1 : size];
    if (size > 256)
        tslrt_die("an atomic object of %lu bytes", (unsigned long)size);
    memcpy(kept, at, size);
    memcpy(at, value, size);
    memcpy(old, kept, size);
    tslrt_wrote(old, size);
    if (recorded) {
        tslrt_call_reads(value, size, TSL_HOT->cursor[-1].site);
        tslrt_call_writes(old, size, TSL_HOT->cursor[-1].site);
    }
}

static bool compare_exchange(size_t size, void *at, void *expected, const void *value, int success,
                             int failure) {
    bool recorded = step(TSL_EV_CAS, at, size, success);
    bool same = memcmp(at, expected, size) == 0;
    memcpy(same ? at : expected, same ? value : at, size);
    tslrt_wrote(expected, size);
    if (recorded) {
        note_wide_cas();
        cas_result(same, failure);
    }
    return same;
}

LIBCALL(_Bool, __atomic_compare_exchange, size_t size, void *at, void *expected, void *value,
        int success, int failure) {
    return compare_exchange(size, at, expected, value, success, failure);
}

LIBCALL(_Bool, __atomic_is_lock_free, size_t size, void *at) {
    (void)at;
    return size <= 16;
}

LIBCALL(u128, __atomic_load_16, const void *at, int order) {
    step(TSL_EV_AREAD, at, 16, order);
    return *(const u128 *)at;
}

LIBCALL(void, __atomic_store_16, void *at, u128 value, int order) {
    step(TSL_EV_AWRITE, at, 16, order);
    *(u128 *)at = value;
}

static u128 swap(void *at, u128 value) {
    u128 old = *(u128 *)at;
    *(u128 *)at = value;
    return old;
}

LIBCALL(u128, __atomic_exchange_16, void *at, u128 value, int order) {
    step(TSL_EV_RMW, at, 16, order);
    return swap(at, value);
}

LIBCALL(_Bool, __atomic_compare_exchange_16, void *at, void *expected, u128 value, int success,
        int failure) {
    return compare_exchange(16, at, expected, &value, success, failure);
}

#define FETCH(op, expression)                                                                      \
    LIBCALL(u128, __atomic_fetch_##op##_16, void *at, u128 value, int order) {                     \
        step(TSL_EV_RMW, at, 16, order);                                                           \
        u128 old = *(u128 *)at;                                                                    \
        return swap(at, expression);                                                               \
    }                                                                                              \
    LIBCALL(u128, __sync_fetch_and_##op##_16, void *at, u128 value) {                              \
        step(TSL_EV_RMW, at, 16, 5);                                                               \
        u128 old = *(u128 *)at;                                                                    \
        return swap(at, expression);                                                               \
    }

FETCH(add, old + value)
FETCH(sub, old - value)
FETCH(and, old &value)
FETCH(or, old | value)
FETCH(xor, old ^ value)
FETCH(nand, ~(old &value))

LIBCALL(u128, __sync_val_compare_and_swap_16, void *at, u128 expected, u128 value) {
    bool recorded = step(TSL_EV_CAS, at, 16, 5);
    u128 old = *(u128 *)at;
    if (old == expected)
        *(u128 *)at = value;
    if (recorded)
        tslrt_result(old == expected);
    return old;
}

LIBCALL(u128, __sync_lock_test_and_set_16, void *at, u128 value) {
    step(TSL_EV_RMW, at, 16, 2);
    return swap(at, value);
}
