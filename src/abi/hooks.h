// How does code inserted by teasel-cc call the runtime?
//
// By the functions of hooks.def, which are declared at the end of this file.  Before that come the
// words that inlined hooks read and write, and the constants among their arguments.
#ifndef TSL_ABI_HOOKS_H
#define TSL_ABI_HOOKS_H

#include "layout.h"
#include "wire.h"

#define TSL_SYM_ARGS 24
#define TSL_SYM_RESULTS 8
#define TSL_CALL_ARGS 8
#define TSL_INSIDE 64u

// Finds out whether a thread comes back to the same state at the head of a loop (rt/await.c).  The
// state of one round is remembered and compared with those of the next 1, 2, 4, ... rounds; then a
// newer one is remembered (Brent, An improved Monte Carlo factorization algorithm, 1980), so cycles
// of any length are found.  Several loops may share one tsl_loop, and are then noticed later.
typedef struct tsl_loop {
    uint64_t key, prev;      // loop, frame and state of the round remembered, and of the last round
    tsl_event *since, *last; // where the thread's events ended when these rounds began
    uint32_t span, left;     // rounds in which the state has to come back; how many are left
    uint64_t mark, scratch;  // used by the runtime: hashes of what lay on the thread's own stack
} tsl_loop;

#define TSL_LOOPS 8u

// Where answers are in tsl_hot.machine.
enum {
    TSL_MACHINE_TIME_AT = 0,
    TSL_MACHINE_RANDOM_AT = 2,
    TSL_MACHINE_THREAD_AT = 4,
    TSL_MACHINE_CPUID_AT = 6,
    TSL_MACHINE_WORDS = 10
};

// The words of the fast paths, at TSL_HOT_ADDR.
typedef struct tsl_hot {
    int64_t fuel;         // steps that the running thread may take without asking the scheduler
    tsl_event *cursor;    // where the next event goes
    uint64_t thread_bits; // running thread << 32
    int64_t solo_fuel;    // accesses that a thread may make while it is the only thread
    uint32_t recording;   // enum tsl_recording
    uint32_t call_site;   // site of the call that is being made, for the called function
    uint32_t opaque;      // the classes (enum tsl_extern_class) of all functions called, by or
    uint32_t icall_class; // the classes of functions that an indirect call may reach, by or
    uint64_t low_stack;   // lowest stack address that the running thread is known to use

    // Calls that leave instrumented code (rt/extern.c).
    uint64_t call_args[TSL_CALL_ARGS]; // arguments on their way into a slow path
    const void *inside[TSL_INSIDE];    // hash table of functions that need no slow path
    const void *open_call; // function called by a pointer whose writes are told when it returns

    tsl_loop *loops;      // TSL_LOOPS of the running thread; NULL: loops are not looked at
    tsl_event *effect_at; // where the thread's events ended when it last did something that its
                          // events do not tell

    // Labels on their way from caller to callee and back (cc/symcall.h).
    const void *args_for;        // the function that `args` are meant for
    const void *ret_from;        // the function that `ret` comes from
    uint32_t args[TSL_SYM_ARGS]; //
    uint32_t ret[TSL_SYM_RESULTS];
    uint32_t nargs;
    uint32_t labelled; // some memory depends on inputs
    uint32_t weak;     // an atomic access or a fence weaker than seq_cst was recorded
    uint32_t spurious; // a weak compare-and-swap may fail for no reason

    // The last answers of hook machine, where assembly finds them.
    uint32_t machine[TSL_MACHINE_WORDS];
} tsl_hot;

enum tsl_recording {
    TSL_RECORD_NOTHING, // there is one thread: nobody can observe the order of its accesses
    TSL_RECORD_ALL,
    // The runtime looks at each access.  Of a long run it records only what the thread has not
    // done since its last synchronisation; and some accesses are preemption points.
    TSL_RECORD_SOME
};

#define TSL_HOT ((tsl_hot *)TSL_HOT_ADDR)

#define TSL_CAS_WEAK 16u // in the last argument of hook cas_result

// What hook asm is told.
enum tsl_asm_flag {
    TSL_ASM_OPAQUE = 1,  // it may touch any memory: a step of its own
    TSL_ASM_SEVERAL = 2, // several instructions that touch memory are one step
    TSL_ASM_LOOPS = 4,   // it has a loop of its own, in which no other thread can run
};

// What hook machine is asked.
enum tsl_machine {
    TSL_MACHINE_TIME = 1,     // counters of time stamps
    TSL_MACHINE_RANDOM = 2,   // rdrand, rdseed
    TSL_MACHINE_THREAD = 4,   // the thread pointer
    TSL_MACHINE_CPUID = 8,    //
    TSL_MACHINE_SEGMENT = 16, // something else through the segment register: not replaced
    TSL_MACHINE_UNKNOWN = 32, // cpuid of an unknown leaf: not replaced
    TSL_MACHINE_KERNEL = 64,  // a system call, which goes to the kernel as it is
    TSL_MACHINE_CORE = 128,   // counters and the number of a core, or Intel syntax: not replaced
    TSL_MACHINE_SLOT = 256,   // eight bytes at `a` behind the thread pointer
};

// ---------------------------------------------------------------- labels

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

// ---------------------------------------------------------------- functions

// Slow paths are called by inlined hooks only.  preserve_most keeps the registers of the hot code
// around the call.
#define TSL_SLOW __attribute__((preserve_most, noinline, cold, visibility("default")))

#define TSL_BODY_INLINE
#define TSL_BODY_CALLED __attribute__((visibility("default")))
#define TSL_DECLARE_NONE(name, result, parameters)
#define TSL_DECLARE_OWN(name, result, parameters)
#define TSL_DECLARE_SAME(name, result, parameters)                                                 \
    TSL_SLOW result __teasel_##name##_slow parameters;

#define TSL_HOOK_ARG(type, name) type name
#define TSL_SLOW_PATH(name, result, parameters, doc)                                               \
    _Static_assert(sizeof(doc) > 1, "each slow path says what it is for");                         \
    TSL_DECLARE_SAME(name, result, parameters)
#define TSL_HOOK(name, result, parameters, body, slow, size, doc)                                  \
    _Static_assert(sizeof(#name) > 1 && sizeof(doc) > 1, "each hook says what it is for");         \
    TSL_BODY_##body result __teasel_##name parameters;                                             \
    TSL_DECLARE_##slow(name, result, parameters)
#include "hooks.def"

#endif
