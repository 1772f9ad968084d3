// The hooks: what the compiler inserts, and the words their fast paths touch.
//
// The instrumenter inserts calls to the functions below, in front of the
// instruction they announce.  The ones marked INLINE are defined in
// src/rt/hooks.c, which is compiled to bitcode, linked into every instrumented
// module and inlined; `kind`, `size` and `order` are constants at every call.
// The others live in the runtime library.
#ifndef TSL_ABI_HOOKS_H
#define TSL_ABI_HOOKS_H

#include "layout.h"
#include "wire.h"

// Words of the fast paths, at TSL_HOT_ADDR.
typedef struct tsl_hot {
    int64_t fuel;         // steps the running thread may still take unasked
    tsl_event *cursor;    // where the next event goes
    uint64_t thread_bits; // running thread << 32
    int64_t solo_fuel;    // accesses a thread may make while it is the only one
    uint32_t recording;   // enum tsl_recording
    uint32_t call_site;   // site of the call being made, for the callee
    uint32_t opaque;      // or of the enum tsl_extern_class of what was called
    uint32_t icall_class; // what an indirect call may reach
    uint64_t low_stack;   // lowest stack address the running thread is known to use
} tsl_hot;

enum tsl_recording {
    TSL_RECORD_NOTHING, // one thread: nobody can observe the order of its accesses
    TSL_RECORD_ALL,
    TSL_RECORD_FILTER // long run: only what the thread did not do since its last synchronisation
};

#define TSL_HOT ((tsl_hot *)TSL_HOT_ADDR)

// INLINE.  A load or store of `size` bytes (a constant) comes next.
// kind: TSL_EV_READ, WRITE, VREAD, VWRITE.
void __teasel_access(void *p, uint32_t site, uint32_t kind, uint64_t size);

// INLINE.  As above for a length known only at run time (memcpy and its like); 0 is no access.
void __teasel_range(void *p, uint32_t site, uint32_t kind, uint64_t size);

// INLINE.  An atomic load, store, rmw or cas of 1..16 bytes comes next.
// kind: TSL_EV_AREAD, AWRITE, RMW, CAS.  order: C11 numbering, 0 relaxed .. 5 seq_cst.
void __teasel_atomic(void *p, uint32_t site, uint32_t kind, uint64_t size, uint32_t order);

// INLINE.  The cas just executed stored (1) or not (0).
void __teasel_cas_result(uint32_t stored, uint64_t expected, uint64_t size);

// A fence comes next.
__attribute__((visibility("default"))) void __teasel_fence(uint32_t site, uint32_t order);

// INLINE.  A direct call of a function of another object comes next.
void __teasel_call(const tsl_extern *callee, uint32_t site);

// INLINE.  A call through a pointer comes next.
void __teasel_icall(uint32_t site);

// Inline assembly comes next.
__attribute__((visibility("default"))) void __teasel_asm(uint32_t site);

// INLINE.  First thing in a function whose locals take 1 KiB or more, and after every
// dynamic alloca: the stack now reaches at least `bytes` below the frame.
void __teasel_frame(uint64_t bytes);

// Constructor of every instrumented module.
void __teasel_register(tsl_module *module);

// Slow paths, called by the inlined ones only.  preserve_most keeps the
// registers of the hot code around them.
#define TSL_SLOW __attribute__((preserve_most, noinline, cold, visibility("default")))
TSL_SLOW void __teasel_step_slow(void *p, uint32_t site, uint32_t kind, uint64_t size);
TSL_SLOW void __teasel_heap_slow(void *p, uint32_t site, uint32_t kind, uint64_t size);
TSL_SLOW void __teasel_filter_slow(void *p, uint32_t site, uint32_t kind, uint64_t size);
TSL_SLOW void __teasel_range_slow(void *p, uint32_t site, uint32_t kind, uint64_t size);

#endif
