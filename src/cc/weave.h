// What the parts of the instrumenter share while they work on one module.
//
// Private to src/cc: instrument.c walks the module, and the other files answer one question each
// (escape.h, sites.h, externs.h, hook.h, relax.h).
#ifndef TSL_CC_WEAVE_H
#define TSL_CC_WEAVE_H

#include <llvm-c/Target.h>

#include "base/map.h"
#include "base/set.h"
#include "cc/cover.h"
#include "cc/externs.h"
#include "cc/llvm.h"
#include "cc/sites.h"

// The hooks by number, and how many parameters each has.
enum tsl_hook {
#define TSL_HOOK(name, result, parameters, body, slow, size, doc) TSL_HOOK_##name,
#include "abi/hooks.def"
    TSL_HOOK_COUNT
};

enum tsl_hook_arity {
#define TSL_NUMBER_OF(...) sizeof((char[]){__VA_ARGS__})
#define TSL_HOOK_ARG(type, name) 1
#define TSL_HOOK(name, result, parameters, body, slow, size, doc)                                  \
    TSL_ARITY_##name = TSL_NUMBER_OF parameters,
#include "abi/hooks.def"
#undef TSL_NUMBER_OF
};

enum tsl_hook_size { TSL_SIZE_SMALL, TSL_SIZE_LARGE, TSL_SIZE_LABEL, TSL_SIZE_COUNT };

// Counts for the census, as in tsl_module.
typedef struct tsl_counts {
    uint32_t accesses, atomics, asms, icalls;
} tsl_counts;

typedef TSL_VEC(LLVMValueRef) tsl_values;

// Labels of the function being walked; see label.h.
typedef struct tsl_labels {
    tsl_map of; // by value and element
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
    LLVMTypeRef void_, i8, i32, i64, ptr;

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
    LLVMMetadataRef subprogram;        // NULL: compiled without -g
    uint32_t inserted[TSL_SIZE_COUNT]; // hooks of each size so far
    tsl_set local;                     // allocas and by-value arguments that nothing else can reach
    tsl_set needed;                    // values that are computed and used; see trap.h
    TSL_VEC(tsl_loop_edge) loop_edges;
    TSL_VEC(tsl_asm_goto) gotos;
} tsl_weaver;

#endif
