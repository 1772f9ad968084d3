// Calls of hooks; see hook.h.
#include "cc/hook.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

// ---------------------------------------------------------------- declarations

// Arguments by letter: p pointer, 4 uint32_t, 8 uint64_t.  The types must match
// src/rt/hooks.c exactly: a call of another type is not inlined.
static const struct {
    const char *name, *args;
} signatures[TSL_HOOK_COUNT] = {
    [TSL_HOOK_ACCESS] = {"__teasel_access", "p448"},
    [TSL_HOOK_RANGE] = {"__teasel_range", "p448"},
    [TSL_HOOK_ATOMIC] = {"__teasel_atomic", "p4484"},
    [TSL_HOOK_CAS_RESULT] = {"__teasel_cas_result", "488"},
    [TSL_HOOK_FENCE] = {"__teasel_fence", "44"},
    [TSL_HOOK_CALL] = {"__teasel_call", "p4"},
    [TSL_HOOK_ICALL] = {"__teasel_icall", "4"},
    [TSL_HOOK_ASM] = {"__teasel_asm", "4"},
    [TSL_HOOK_FRAME] = {"__teasel_frame", "8"},
    [TSL_HOOK_REGISTER] = {"__teasel_register", "p"},
};

void tsl_hook_declare(tsl_weaver *w) {
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    for (unsigned h = 0; h < TSL_HOOK_COUNT; h++) {
        LLVMTypeRef types[8];
        unsigned n = 0;
        for (const char *a = signatures[h].args; *a; a++)
            types[n++] = *a == 'p' ? w->ptr : *a == '4' ? w->i32 : w->i64;
        w->hook_types[h] = LLVMFunctionType(w->void_, types, n, 0);
        w->hooks[h] = LLVMGetNamedFunction(w->module, signatures[h].name);
        if (!w->hooks[h])
            w->hooks[h] = LLVMAddFunction(w->module, signatures[h].name, w->hook_types[h]);
        LLVMAddAttributeAtIndex(w->hooks[h], (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(w->context, nounwind, 0));
    }
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

bool tsl_hook_is_large(const tsl_weaver *w, LLVMValueRef callee) {
    return callee == w->hooks[TSL_HOOK_ACCESS] || callee == w->hooks[TSL_HOOK_ATOMIC];
}

static void call(tsl_weaver *w, enum tsl_hook h, LLVMValueRef *args) {
    if (tsl_hook_is_large(w, w->hooks[h]))
        w->function_hooks++;
    unsigned n = (unsigned)strlen(signatures[h].args);
    LLVMBuildCall2(w->builder, w->hook_types[h], w->hooks[h], args, n, "");
}

static LLVMValueRef u32(tsl_weaver *w, uint64_t x) { return LLVMConstInt(w->i32, x, 0); }

// The runtime numbers the sites of all modules through; what is known here is
// the offset.  The base is written before any instrumented code runs, so the
// optimiser may load it once per function.
static LLVMValueRef site_number(tsl_weaver *w, uint32_t site) {
    LLVMValueRef base = LLVMBuildLoad2(w->builder, w->i32, w->site_base, "");
    LLVMMetadataRef none = LLVMMDNodeInContext2(w->context, NULL, 0);
    LLVMSetMetadata(base, w->invariant_load, LLVMMetadataAsValue(w->context, none));
    return LLVMBuildAdd(w->builder, base, u32(w, site), "");
}

// C11 numbering; LLVM's unordered does not come from C.
static uint64_t c11_order(LLVMAtomicOrdering order) {
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

void tsl_hook_access(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, uint64_t size) {
    call(w, TSL_HOOK_ACCESS,
         (LLVMValueRef[]){p, site_number(w, site), u32(w, kind), LLVMConstInt(w->i64, size, 0)});
}

void tsl_hook_range(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind,
                    LLVMValueRef size) {
    LLVMValueRef wide = LLVMBuildIntCast2(w->builder, size, w->i64, 0, "");
    call(w, TSL_HOOK_RANGE, (LLVMValueRef[]){p, site_number(w, site), u32(w, kind), wide});
}

void tsl_hook_atomic(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, uint64_t size,
                     LLVMAtomicOrdering order) {
    call(w, TSL_HOOK_ATOMIC,
         (LLVMValueRef[]){p, site_number(w, site), u32(w, kind), LLVMConstInt(w->i64, size, 0),
                          u32(w, c11_order(order))});
}

void tsl_hook_cas_result(tsl_weaver *w, LLVMValueRef cmpxchg) {
    LLVMValueRef stored = LLVMBuildExtractValue(w->builder, cmpxchg, 1, "");
    stored = LLVMBuildZExt(w->builder, stored, w->i32, "");
    LLVMValueRef expected = LLVMGetOperand(cmpxchg, 1);
    LLVMTypeRef type = LLVMTypeOf(expected);
    expected = LLVMGetTypeKind(type) == LLVMPointerTypeKind
                   ? LLVMBuildPtrToInt(w->builder, expected, w->i64, "")
                   : LLVMBuildIntCast2(w->builder, expected, w->i64, 0, "");
    LLVMValueRef size = LLVMConstInt(w->i64, LLVMABISizeOfType(w->layout, type), 0);
    call(w, TSL_HOOK_CAS_RESULT, (LLVMValueRef[]){stored, expected, size});
}

void tsl_hook_fence(tsl_weaver *w, uint32_t site, LLVMAtomicOrdering order) {
    call(w, TSL_HOOK_FENCE, (LLVMValueRef[]){site_number(w, site), u32(w, c11_order(order))});
}

void tsl_hook_call(tsl_weaver *w, LLVMValueRef descriptor, uint32_t site) {
    call(w, TSL_HOOK_CALL, (LLVMValueRef[]){descriptor, site_number(w, site)});
}

void tsl_hook_icall(tsl_weaver *w, uint32_t site) {
    call(w, TSL_HOOK_ICALL, (LLVMValueRef[]){site_number(w, site)});
}

void tsl_hook_asm(tsl_weaver *w, uint32_t site) {
    call(w, TSL_HOOK_ASM, (LLVMValueRef[]){site_number(w, site)});
}

void tsl_hook_frame(tsl_weaver *w, LLVMValueRef bytes) {
    call(w, TSL_HOOK_FRAME, (LLVMValueRef[]){LLVMBuildIntCast2(w->builder, bytes, w->i64, 0, "")});
}
