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

#define TSL_SYM_ARGS 24
#define TSL_SYM_RESULTS 8
#define TSL_CALL_ARGS 8
#define TSL_INSIDE 64u

// A time that a thread was at the head of a loop: does it come back to the same state?  If not
// within 1, 2, 4, ... rounds, a later time is taken (Brent, An improved Monte Carlo factorization
// algorithm, 1980), so that a circle is found however long it is.  One of these for several loops; those that
// share one just take longer to be noticed.
typedef struct tsl_loop {
    uint64_t key, prev;      // loop, frame and state, then and when the last round began
    tsl_event *since, *last; // where events ended then, and when the last round began
    uint32_t span, left;     // rounds to come back in, and how many of them are left
    uint64_t mark, scratch;  // of the runtime: what was left on the thread's own stack
} tsl_loop;

#define TSL_LOOPS 8u

// Places in tsl_hot.machine.
enum {
    TSL_MACHINE_TIME_AT = 0,
    TSL_MACHINE_RANDOM_AT = 2,
    TSL_MACHINE_THREAD_AT = 4,
    TSL_MACHINE_CPUID_AT = 6,
    TSL_MACHINE_WORDS = 10
};

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

    // Calls that leave instrumented code, see rt/extern.c.
    uint64_t call_args[TSL_CALL_ARGS]; // on their way into a slow path
    const void *inside[TSL_INSIDE];    // functions that need not be looked at, hashed
    const void *open_call;             // a call through a pointer whose writes are to be told

    tsl_loop *loops;      // of the running thread, TSL_LOOPS of them; NULL: nobody asks
    tsl_event *effect_at; // where its events ended when it last did something they do not tell

    // Labels on their way from caller to callee and back; see cc/symcall.h.
    const void *args_for;        // the function that `args` are meant for
    const void *ret_from;        // the function that `ret` comes from
    uint32_t args[TSL_SYM_ARGS]; //
    uint32_t ret[TSL_SYM_RESULTS];
    uint32_t nargs;
    uint32_t labelled; // some memory depends on inputs
    uint32_t weak;     // an atomic access or a fence weaker than seq_cst was recorded
    uint32_t spurious; // a weak compare-and-swap may fail for no reason

    // What was asked of the machine last, for assembly that looks here.
    uint32_t machine[TSL_MACHINE_WORDS];
} tsl_hot;

enum tsl_recording {
    TSL_RECORD_NOTHING, // one thread: nobody can observe the order of its accesses
    TSL_RECORD_ALL,
    // The runtime looks at each access: of a long run only what the thread did not do since its
    // last synchronisation is recorded, and some are preemption points.
    TSL_RECORD_SOME
};

#define TSL_HOT ((tsl_hot *)TSL_HOT_ADDR)

// INLINE.  A load or store of `size` bytes (a constant) comes next.
// kind: TSL_EV_READ, WRITE, VREAD, VWRITE.
void __teasel_access(void *p, uint32_t site, uint32_t kind, uint64_t size);

// INLINE.  As above for a length known only at run time (memcpy and its like); 0 is no access.
void __teasel_range(void *p, uint32_t site, uint32_t kind, uint64_t size);

// A copy of `size` bytes comes next: two steps, and the bytes are those of the first one.  Returns where to copy them
// from: `from`, or `to` if the copy is made already.  kind: TSL_EV_READ or VREAD; the write is of the same sort.
__attribute__((visibility("default"))) const void *
__teasel_copy(void *to, const void *from, uint32_t site, uint32_t kind, uint64_t size);

// INLINE.  An atomic load, store, rmw or cas of 1..16 bytes comes next.
// kind: TSL_EV_AREAD, AWRITE, RMW, CAS.  order: C11 numbering, 0 relaxed .. 5 seq_cst.
void __teasel_atomic(void *p, uint32_t site, uint32_t kind, uint64_t size, uint32_t order);

// INLINE.  The cas just executed stored (1) or not (0).  failure: its order if it did not, and
// TSL_CAS_WEAK.
#define TSL_CAS_WEAK 16u
void __teasel_cas_result(uint32_t stored, uint64_t expected, uint64_t size, uint32_t failure);

// INLINE.  A weak cas of up to 8 bytes was announced: 1 if it is to fail though it would succeed.
uint32_t __teasel_cas_weak(void *p, uint64_t expected, uint64_t size);

// INLINE.  The rmw just executed wrote what was there (1) or not (0).
void __teasel_rmw_result(uint32_t unchanged);

// INLINE.  The head of a loop that may wait comes next, from outside or for another round;
// `state` is what it brings along.  May wait for others.
void __teasel_loop(uint32_t site, uint64_t state, uint32_t enters);

// A fence comes next.
__attribute__((visibility("default"))) void __teasel_fence(uint32_t site, uint32_t order);

// INLINE.  A direct call of a function of another object comes next.
void __teasel_call(const tsl_extern *callee, uint32_t site);

// INLINE.  As above, of a function that may be one of libc or not be instrumented: `pointers` has a bit for each
// argument that is a pointer; the arguments follow as 64 bits, 0 for those that are no integers.
void __teasel_extern(const tsl_extern *callee, uint32_t site, uint32_t pointers, uint64_t a0,
                     uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                     uint64_t a7);
// INLINE.  It has returned.
void __teasel_extern_done(const tsl_extern *callee, uint64_t result, uint64_t a0, uint64_t a1,
                          uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                          uint64_t a7);

// INLINE.  A call through a pointer comes next, and has returned.
void __teasel_icall(const void *callee, uint32_t site, uint32_t pointers, uint64_t a0, uint64_t a1,
                    uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7);
void __teasel_icall_done(const void *callee, uint64_t result);

// Inline assembly comes next that needs a word; flags of enum tsl_asm_flag.
__attribute__((visibility("default"))) void __teasel_asm(uint32_t site, uint32_t flags);

enum tsl_asm_flag {
    TSL_ASM_OPAQUE = 1,  // it may touch any memory: a step of its own
    TSL_ASM_SEVERAL = 2, // several instructions that touch memory are one step
    TSL_ASM_LOOPS = 4,   // it has a loop of its own, in which nobody else can run
};

// The step just announced also does this: further accesses of inline assembly.  kind as of
// __teasel_access or __teasel_atomic.
__attribute__((visibility("default"))) void __teasel_also(void *p, uint32_t site, uint32_t kind,
                                                          uint64_t size);

// INLINE.  First thing in a function whose locals take 1 KiB or more, and after every
// dynamic alloca: the stack now reaches at least `bytes` below the frame.
void __teasel_frame(uint64_t bytes);

// A function that is an atomic section begins, or is about to return.
__attribute__((visibility("default"))) void __teasel_section_begin(uint32_t site);
__attribute__((visibility("default"))) void __teasel_section_end(uint32_t site);

// Something is asked of the machine; `what` is of enum tsl_machine.  Returns the last answer, and
// leaves all of them in tsl_hot.machine.  a and b: the leaf of cpuid and its part.
__attribute__((visibility("default"))) uint64_t __teasel_machine(uint32_t what, uint32_t site,
                                                                 uint64_t a, uint64_t b);

// The program has looked up `name` (dlsym) and got `found`.  Returns what it is given: the runtime's function instead of libc's.
__attribute__((visibility("default"))) void *__teasel_found(void *found, const char *name);

enum tsl_machine {
    TSL_MACHINE_TIME = 1,     // counters of time stamps
    TSL_MACHINE_RANDOM = 2,   // rdrand, rdseed
    TSL_MACHINE_THREAD = 4,   // the thread pointer
    TSL_MACHINE_CPUID = 8,    //
    TSL_MACHINE_SEGMENT = 16, // something else through the segment register: it is not replaced
    TSL_MACHINE_UNKNOWN = 32, // cpuid, and nobody knows of what: it is not replaced either
    TSL_MACHINE_KERNEL = 64,  // a system call, which goes to the kernel as it is
    TSL_MACHINE_CORE = 128,   // counters and the number of a core, or Intel syntax: not replaced
    TSL_MACHINE_SLOT = 256,   // eight bytes at `a` behind the thread pointer
};

// INLINE.  a / b comes next, of `width` bits with a sign, or 0: without one.  Traps if that does.
void __teasel_divides(uint64_t a, uint64_t b, uint32_t width);

// ---------------------------------------------------------------- labels
//
// All INLINE: one test, and a slow path of the same name with _slow.  A label of 0 means that
// the value does not depend on inputs (abi/symbol.h).  Values are given as 64 bits, zero extended.

// What is computed: an operator, the width of its operands, and more.
#define TSL_SYM_CODE(op, width, more)                                                              \
    ((uint32_t)(op) | (uint32_t)(width) << 8 | (uint32_t)(more) << 16)
#define TSL_SYM_INVERT 1u // of a comparison: the opposite
#define TSL_SYM_SIGNED 2u // of an overflow

enum tsl_sym_function {
    TSL_SYM_ABS,
    TSL_SYM_SMAX,
    TSL_SYM_SMIN,
    TSL_SYM_UMAX,
    TSL_SYM_UMIN,
    TSL_SYM_BSWAP,
    TSL_SYM_FSHL,
    TSL_SYM_FSHR,
    TSL_SYM_CTPOP,
    TSL_SYM_CTLZ,
    TSL_SYM_CTTZ
};

enum tsl_sym_use { TSL_SYM_LOADS, TSL_SYM_LOADS_CONSTANT, TSL_SYM_STORES, TSL_SYM_CALLS };

// Why a label was dropped.
enum tsl_lost {
    TSL_LOST_FLOAT,  // floating point is not followed
    TSL_LOST_CALL,   // an argument of a function that is not instrumented
    TSL_LOST_SHIFT,  // shifted by its width or more
    TSL_LOST_MEMORY, // overwritten by code that is not instrumented
    TSL_LOST_FULL,   // the table of expressions is full
    TSL_LOST_SIZE,   // a length that the runtime needs to know
    TSL_LOST_OTHER,  // vectors, wide atomics, inline assembly
    TSL_LOST_KINDS
};

uint32_t __teasel_sym_binary(uint32_t code, uint32_t la, uint32_t lb, uint64_t a, uint64_t b);
uint32_t __teasel_sym_wide(uint32_t code, uint32_t la, uint32_t lb, uint64_t a, uint64_t a_high,
                           uint64_t b, uint64_t b_high);
// Division by zero, overflow of signed numbers: could it happen here?
void __teasel_sym_check(uint32_t code, uint32_t la, uint32_t lb, uint64_t a, uint64_t b,
                        uint32_t site);
// `more` of the code is the old width.
uint32_t __teasel_sym_cast(uint32_t code, uint32_t label);
void __teasel_sym_lost(uint32_t label, uint32_t why, uint32_t site);
uint32_t __teasel_sym_select(uint32_t width, uint32_t lc, uint32_t la, uint32_t lb, uint32_t cond,
                             uint64_t a, uint64_t a_high, uint64_t b, uint64_t b_high);
void __teasel_sym_branch(uint32_t label, uint32_t taken, uint32_t site);
// Cases: pairs of a value and the number of its target; 0 is the default.
void __teasel_sym_switch(uint32_t label, uint64_t value, const uint64_t *cases, uint32_t n,
                         uint32_t width, uint32_t site);
// `object`: the variable it was computed from, if that is known, and its size.
void __teasel_sym_address(uint32_t label, void *p, uint64_t size, uint32_t use, uint32_t site,
                          void *object, uint64_t object_size);
void __teasel_sym_length(uint32_t label, uint64_t size, uint32_t site);
uint32_t __teasel_sym_gep(uint32_t lbase, uint32_t lindex, uint64_t base, uint64_t index,
                          uint64_t scale, uint32_t index_width);
uint32_t __teasel_sym_load(const void *p, uint32_t width, uint32_t lp, uint64_t low, uint64_t high);
// What is read there has no label: a vector, long double, a struct.
void __teasel_sym_unfollowed(const void *p, uint64_t size, uint32_t site);
void __teasel_sym_store(void *p, uint64_t size, uint32_t label);
uint32_t __teasel_sym_rmw(uint32_t code, void *p, uint32_t label, uint64_t old, uint64_t value);
uint32_t __teasel_sym_cas(uint32_t width, void *p, uint32_t lexpected, uint32_t lwanted,
                          uint64_t old, uint64_t expected, uint32_t stored, uint32_t site);
void __teasel_sym_copy(void *to, const void *from, uint64_t n);
void __teasel_sym_fill(void *to, uint32_t label, uint64_t n);
uint32_t __teasel_sym_function(uint32_t code, uint32_t la, uint32_t lb, uint32_t lc, uint64_t a,
                               uint64_t b, uint64_t c);
// The label of whether the operation overflows.
uint32_t __teasel_sym_overflows(uint32_t code, uint32_t la, uint32_t lb, uint64_t a, uint64_t b);
// A pointer is handed to a function of another object, which may not be instrumented.
void __teasel_sym_outside(const tsl_extern *callee, const void *p, uint32_t site);
// A value, and what a pointer leads to (or NULL), is written to where the program may read it again.
void __teasel_sym_leaves(uint32_t label, const void *p);
// Calls: `any` is not 0 if one of the labels is not.
void __teasel_sym_arg(uint32_t any, uint32_t place, uint32_t label);
void __teasel_sym_args(uint32_t any, const void *callee, uint32_t n);
uint32_t __teasel_sym_byval(uint32_t place, const void *p, uint64_t size);
uint32_t __teasel_sym_enter(const void *self);
uint32_t __teasel_sym_param(uint32_t any, uint32_t place);
void __teasel_sym_byval_in(uint32_t any, uint32_t place, void *p, uint64_t size);
const void *__teasel_sym_variadic(uint32_t any, uint32_t fixed);
void __teasel_sym_va_start(void *list, const void *labels, uint32_t fixed);
void __teasel_sym_give(uint32_t any, uint32_t place, uint32_t label);
void __teasel_sym_return(uint32_t any, const void *self);
uint32_t __teasel_sym_returned(const void *callee);
uint32_t __teasel_sym_result(uint32_t any, uint32_t place);

// Constructor of every instrumented module.
void __teasel_register(tsl_module *module);

// Slow paths, called by the inlined ones only.  preserve_most keeps the
// registers of the hot code around them.
#define TSL_SLOW __attribute__((preserve_most, noinline, cold, visibility("default")))
TSL_SLOW void __teasel_step_slow(void *p, uint32_t site, uint32_t kind, uint64_t size);
TSL_SLOW uint32_t __teasel_cas_weak_slow(void *p, uint64_t expected, uint64_t size);
TSL_SLOW void __teasel_loop_slow(tsl_loop *loop, uint64_t key, uint32_t site);
TSL_SLOW void __teasel_heap_slow(void *p, uint32_t site, uint32_t kind, uint64_t size);
TSL_SLOW void __teasel_some_slow(void *p, uint32_t site, uint32_t kind, uint64_t size);
TSL_SLOW void __teasel_extern_slow(const tsl_extern *callee, uint32_t site, uint32_t pointers);
TSL_SLOW void __teasel_extern_done_slow(const tsl_extern *callee, uint64_t result);
TSL_SLOW void __teasel_icall_slow(const void *callee, uint32_t site, uint32_t pointers);
TSL_SLOW void __teasel_icall_done_slow(uint64_t result);
TSL_SLOW void __teasel_range_slow(void *p, uint32_t site, uint32_t kind, uint64_t size);

TSL_SLOW uint32_t __teasel_sym_binary_slow(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                           uint64_t b);
TSL_SLOW uint32_t __teasel_sym_wide_slow(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                         uint64_t a_high, uint64_t b, uint64_t b_high);
TSL_SLOW void __teasel_sym_check_slow(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                      uint64_t b, uint32_t site);
TSL_SLOW uint32_t __teasel_sym_cast_slow(uint32_t code, uint32_t label);
TSL_SLOW void __teasel_sym_lost_slow(uint32_t label, uint32_t why, uint32_t site);
TSL_SLOW uint32_t __teasel_sym_select_slow(uint32_t width, uint32_t lc, uint32_t la, uint32_t lb,
                                           uint32_t cond, uint64_t a, uint64_t a_high, uint64_t b,
                                           uint64_t b_high);
TSL_SLOW void __teasel_sym_branch_slow(uint32_t label, uint32_t taken, uint32_t site);
TSL_SLOW void __teasel_sym_switch_slow(uint32_t label, uint64_t value, const uint64_t *cases,
                                       uint32_t n, uint32_t width, uint32_t site);
TSL_SLOW void __teasel_sym_address_slow(uint32_t label, void *p, uint64_t size, uint32_t use,
                                        uint32_t site, void *object, uint64_t object_size);
TSL_SLOW void __teasel_sym_length_slow(uint32_t label, uint64_t size, uint32_t site);
TSL_SLOW uint32_t __teasel_sym_gep_slow(uint32_t lbase, uint32_t lindex, uint64_t base,
                                        uint64_t index, uint64_t scale, uint32_t index_width);
TSL_SLOW void __teasel_sym_unfollowed_slow(const void *p, uint64_t size, uint32_t site);
TSL_SLOW uint32_t __teasel_sym_load_slow(const void *p, uint32_t width, uint32_t lp, uint64_t low,
                                         uint64_t high);
TSL_SLOW void __teasel_sym_store_slow(void *p, uint64_t size, uint32_t label);
TSL_SLOW uint32_t __teasel_sym_rmw_slow(uint32_t code, void *p, uint32_t label, uint64_t old,
                                        uint64_t value);
TSL_SLOW uint32_t __teasel_sym_cas_slow(uint32_t width, void *p, uint32_t lexpected,
                                        uint32_t lwanted, uint64_t old, uint64_t expected,
                                        uint32_t stored, uint32_t site);
TSL_SLOW void __teasel_sym_copy_slow(void *to, const void *from, uint64_t n);
TSL_SLOW void __teasel_sym_fill_slow(void *to, uint32_t label, uint64_t n);
TSL_SLOW uint32_t __teasel_sym_function_slow(uint32_t code, uint32_t la, uint32_t lb, uint32_t lc,
                                             uint64_t a, uint64_t b, uint64_t c);
TSL_SLOW uint32_t __teasel_sym_overflows_slow(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                              uint64_t b);
TSL_SLOW void __teasel_sym_outside_slow(const tsl_extern *callee, const void *p, uint32_t site);
TSL_SLOW void __teasel_sym_leaves_slow(uint32_t label, const void *p);
TSL_SLOW void __teasel_sym_args_slow(const void *callee, uint32_t n);
TSL_SLOW uint32_t __teasel_sym_byval_slow(uint32_t place, const void *p, uint64_t size);
TSL_SLOW void __teasel_sym_byval_in_slow(uint32_t place, void *p, uint64_t size);
TSL_SLOW const void *__teasel_sym_variadic_slow(uint32_t fixed);
TSL_SLOW void __teasel_sym_va_start_slow(void *list, const void *labels, uint32_t fixed);

#endif
