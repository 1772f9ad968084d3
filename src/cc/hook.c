// Calls of hooks; see hook.h.
#include "cc/hook.h"

#include <llvm-c/DebugInfo.h>

// ---------------------------------------------------------------- declarations

enum type { NOTHING, WORD32, WORD64, POINTER };
enum { MOST_PARAMETERS = 12 };

#define RESULT(type)                                                                               \
    _Generic((type *)0, void *: NOTHING, uint32_t *: WORD32, uint64_t *: WORD64, void **: POINTER, \
             const void **: POINTER)
#define PARAMETERS(...)                                                                            \
    { __VA_ARGS__ }
#define TSL_HOOK_ARG(type, name)                                                                   \
    _Generic((type)0, uint32_t : WORD32, uint64_t : WORD64, default : POINTER)

// A call is inlined only if these types are those of the C function.
static const struct {
    const char *name;
    uint8_t size, result, nparameters, parameters[MOST_PARAMETERS];
} hooks[TSL_HOOK_COUNT] = {
#define TSL_HOOK(name, result, parameters, body, slow, size, doc)                                  \
    {"__teasel_" #name, TSL_SIZE_##size, RESULT(result), TSL_ARITY_##name, PARAMETERS parameters},
#include "abi/hooks.def"
};

static void declare(tsl_weaver *w, enum tsl_hook h, const LLVMTypeRef by_type[]) {
    LLVMTypeRef parameters[MOST_PARAMETERS];
    unsigned n = hooks[h].nparameters;
    for (unsigned i = 0; i < n; i++)
        parameters[i] = by_type[hooks[h].parameters[i]];
    w->hook_types[h] = LLVMFunctionType(by_type[hooks[h].result], parameters, n, 0);
    w->hooks[h] = LLVMGetNamedFunction(w->module, hooks[h].name);
    if (!w->hooks[h])
        w->hooks[h] = LLVMAddFunction(w->module, hooks[h].name, w->hook_types[h]);
    tsl_llvm_add(w->hooks[h], "nounwind");
}

void tsl_hook_declare(tsl_weaver *w) {
    const LLVMTypeRef by_type[] = {
        [NOTHING] = w->void_, [WORD32] = w->i32, [WORD64] = w->i64, [POINTER] = w->ptr};
    for (unsigned h = 0; h < TSL_HOOK_COUNT; h++)
        declare(w, (enum tsl_hook)h, by_type);
    w->site_base = LLVMAddGlobal(w->module, w->i32, "__teasel_site_base");
    LLVMSetLinkage(w->site_base, LLVMInternalLinkage);
    LLVMSetInitializer(w->site_base, LLVMConstInt(w->i32, 0, 0));
}

// ---------------------------------------------------------------- position

static void set_location(tsl_weaver *w, LLVMValueRef inst) {
    LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(inst);
    if (!loc && w->subprogram)
        loc = LLVMDIBuilderCreateDebugLocation(w->context, 0, 0, w->subprogram, NULL);
    LLVMSetCurrentDebugLocation2(w->builder, loc);
}

void tsl_hook_before(tsl_weaver *w, LLVMValueRef inst) {
    LLVMPositionBuilderBefore(w->builder, inst);
    set_location(w, inst);
}

void tsl_hook_after(tsl_weaver *w, LLVMValueRef inst) {
    LLVMPositionBuilderBefore(w->builder, LLVMGetNextInstruction(inst));
    set_location(w, inst);
}

// ---------------------------------------------------------------- calls

LLVMValueRef tsl_hook_insert(tsl_weaver *w, enum tsl_hook h, LLVMValueRef *args) {
    w->inserted[hooks[h].size]++;
    return LLVMBuildCall2(w->builder, w->hook_types[h], w->hooks[h], args, hooks[h].nparameters,
                          "");
}

enum tsl_hook_size tsl_hook_size_of(const tsl_weaver *w, LLVMValueRef callee) {
    for (unsigned h = 0; h < TSL_HOOK_COUNT; h++)
        if (w->hooks[h] == callee)
            return (enum tsl_hook_size)hooks[h].size;
    return TSL_SIZE_SMALL;
}

// ---------------------------------------------------------------- arguments

static LLVMValueRef as_integer(tsl_weaver *w, LLVMValueRef v) {
    switch (LLVMGetTypeKind(LLVMTypeOf(v))) {
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(w->builder, v, w->i64, "");
    case LLVMFloatTypeKind:
        return LLVMBuildBitCast(w->builder, v, w->i32, "");
    case LLVMDoubleTypeKind:
        return LLVMBuildBitCast(w->builder, v, w->i64, "");
    default:
        return v;
    }
}

LLVMValueRef tsl_hook_low(tsl_weaver *w, LLVMValueRef v) {
    return LLVMBuildIntCast2(w->builder, as_integer(w, v), w->i64, 0, "");
}

LLVMValueRef tsl_hook_high(tsl_weaver *w, LLVMValueRef v) {
    LLVMValueRef number = as_integer(w, v);
    if (LLVMGetIntTypeWidth(LLVMTypeOf(number)) <= 64)
        return tsl_u64(w, 0);
    LLVMValueRef by = LLVMConstInt(LLVMTypeOf(number), 64, 0);
    return LLVMBuildTrunc(w->builder, LLVMBuildLShr(w->builder, number, by, ""), w->i64, "");
}

LLVMValueRef tsl_hook_fixed(tsl_weaver *w, LLVMTypeRef type, LLVMValueRef word) {
    LLVMValueRef value = LLVMBuildLoad2(w->builder, type, word, "");
    LLVMMetadataRef none = LLVMMDNodeInContext2(w->context, NULL, 0);
    LLVMSetMetadata(value, w->invariant_load, LLVMMetadataAsValue(w->context, none));
    return value;
}

// The runtime numbers the sites of all modules in one sequence.
LLVMValueRef tsl_hook_site(tsl_weaver *w, uint32_t site) {
    LLVMValueRef base = tsl_hook_fixed(w, w->i32, w->site_base);
    return LLVMBuildAdd(w->builder, base, tsl_u32(w, site), "");
}

LLVMValueRef tsl_hook_site_of(tsl_weaver *w, LLVMValueRef inst, enum tsl_site_kind kind) {
    return tsl_hook_site(w, tsl_sites_add(w, inst, kind));
}

// LLVM's unordered does not come from C.
uint32_t tsl_hook_order(LLVMAtomicOrdering order) {
    switch (order) {
    case LLVMAtomicOrderingAcquire:
        return 2;
    case LLVMAtomicOrderingRelease:
        return 3;
    case LLVMAtomicOrderingAcquireRelease:
        return 4;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return 5;
    default:
        return 0;
    }
}
