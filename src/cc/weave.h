// What the parts of the instrumenter share while they work on one module.
//
// Private to src/cc: instrument.c walks the module, and the other files answer one question each
// (escape.h, sites.h, externs.h, hook.h, relax.h).
#ifndef TSL_CC_WEAVE_H
#define TSL_CC_WEAVE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdint.h>

#include "base/set.h"
#include "cc/cover.h"
#include "cc/externs.h"
#include "cc/sites.h"

enum tsl_hook {
    TSL_HOOK_ACCESS,
    TSL_HOOK_RANGE,
    TSL_HOOK_COPY,
    TSL_HOOK_ATOMIC,
    TSL_HOOK_CAS_RESULT,
    TSL_HOOK_CAS_WEAK,
    TSL_HOOK_RMW_RESULT,
    TSL_HOOK_LOOP,
    TSL_HOOK_FENCE,
    TSL_HOOK_CALL,
    TSL_HOOK_EXTERN,
    TSL_HOOK_EXTERN_DONE,
    TSL_HOOK_ICALL,
    TSL_HOOK_ICALL_DONE,
    TSL_HOOK_ASM,
    TSL_HOOK_ALSO,
    TSL_HOOK_FRAME,
    TSL_HOOK_DIVIDES,
    TSL_HOOK_MACHINE,
    TSL_HOOK_FOUND,
    TSL_HOOK_SECTION_BEGIN,
    TSL_HOOK_SECTION_END,
    TSL_HOOK_REGISTER,
    TSL_HOOK_SYM_BINARY,
    TSL_HOOK_SYM_WIDE,
    TSL_HOOK_SYM_CHECK,
    TSL_HOOK_SYM_CAST,
    TSL_HOOK_SYM_LOST,
    TSL_HOOK_SYM_UNFOLLOWED,
    TSL_HOOK_SYM_SELECT,
    TSL_HOOK_SYM_BRANCH,
    TSL_HOOK_SYM_SWITCH,
    TSL_HOOK_SYM_ADDRESS,
    TSL_HOOK_SYM_LENGTH,
    TSL_HOOK_SYM_GEP,
    TSL_HOOK_SYM_LOAD,
    TSL_HOOK_SYM_STORE,
    TSL_HOOK_SYM_RMW,
    TSL_HOOK_SYM_CAS,
    TSL_HOOK_SYM_COPY,
    TSL_HOOK_SYM_FILL,
    TSL_HOOK_SYM_FUNCTION,
    TSL_HOOK_SYM_OVERFLOWS,
    TSL_HOOK_SYM_OUTSIDE,
    TSL_HOOK_SYM_LEAVES,
    TSL_HOOK_SYM_ARG,
    TSL_HOOK_SYM_ARGS,
    TSL_HOOK_SYM_BYVAL,
    TSL_HOOK_SYM_ENTER,
    TSL_HOOK_SYM_PARAM,
    TSL_HOOK_SYM_BYVAL_IN,
    TSL_HOOK_SYM_VARIADIC,
    TSL_HOOK_SYM_VA_START,
    TSL_HOOK_SYM_GIVE,
    TSL_HOOK_SYM_RETURN,
    TSL_HOOK_SYM_RETURNED,
    TSL_HOOK_SYM_RESULT,
    TSL_HOOK_COUNT
};

// Counts for the census, as in tsl_module.
typedef struct tsl_counts {
    uint32_t accesses, atomics, asms, icalls;
} tsl_counts;

typedef TSL_VEC(LLVMValueRef) tsl_values;
typedef TSL_VEC(LLVMBasicBlockRef) tsl_blocks;

// Labels of the function being walked; see label.h.
typedef struct tsl_label_slot {
    LLVMValueRef value, label;
    unsigned element;
} tsl_label_slot;

typedef struct tsl_labels {
    tsl_label_slot *slots; // hash table by value and element
    size_t cap, len;
    LLVMValueRef zero;
    LLVMValueRef variadic; // where the labels of variadic arguments are, or NULL
} tsl_labels;

#define TSL_LOOP_PHIS 8

// An edge into the header of a loop that may wait; see spin.h.
typedef struct tsl_loop_edge {
    LLVMBasicBlockRef header, from;   // `from` has no other successor
    LLVMValueRef phis[TSL_LOOP_PHIS]; // of the header, without those of labels
    unsigned nphis;
    LLVMValueRef behind_phis; // the header's first instruction that is not a phi
    bool enters;              // the edge comes from outside the loop
} tsl_loop_edge;

// A read-modify-write in an asm goto; see asmgoto.h.
typedef struct tsl_asm_goto {
    LLVMValueRef call, pointer, old;
} tsl_asm_goto;

typedef struct tsl_weaver {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef void_, i8, i16, i32, i64, ptr;

    LLVMValueRef hooks[TSL_HOOK_COUNT]; // declarations
    LLVMTypeRef hook_types[TSL_HOOK_COUNT];
    LLVMValueRef site_base;        // i32, set by the runtime when the module registers
    unsigned invariant_load, loop; // metadata kinds
    const char *cwd;               // folder the source was compiled in

    tsl_sites sites;
    tsl_externs externs;
    tsl_cover cover;
    tsl_counts counts;
    tsl_values functions; // the instrumented functions
    tsl_labels labels;

    // The rest is about the function being walked.
    LLVMValueRef function;
    LLVMMetadataRef subprogram; // NULL: compiled without -g
    uint32_t function_hooks;    // number of large hooks inserted so far
    uint32_t label_hooks;       // number of hooks for labels inserted so far
    tsl_set local;              // allocas and by-value arguments that nothing else can reach
    tsl_set needed;             // values that are computed and used; see trap.h
    TSL_VEC(tsl_loop_edge) loop_edges;
    TSL_VEC(tsl_asm_goto) gotos;
} tsl_weaver;

#endif
