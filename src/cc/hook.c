// Calls of hooks; see hook.h.
#include "cc/hook.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "abi/hooks.h"

// ---------------------------------------------------------------- declarations

// Arguments by letter: p pointer, 4 uint32_t, 8 uint64_t; what it returns in front, with =.  The
// types must match src/rt/hooks.c exactly: a call of another type is not inlined.
static const struct {
    const char *name, *types;
} signatures[TSL_HOOK_COUNT] = {
    [TSL_HOOK_ACCESS] = {"__teasel_access", "p448"},
    [TSL_HOOK_RANGE] = {"__teasel_range", "p448"},
    [TSL_HOOK_COPY] = {"__teasel_copy", "p=pp448"},
    [TSL_HOOK_ATOMIC] = {"__teasel_atomic", "p4484"},
    [TSL_HOOK_CAS_RESULT] = {"__teasel_cas_result", "4884"},
    [TSL_HOOK_CAS_WEAK] = {"__teasel_cas_weak", "4=p88"},
    [TSL_HOOK_RMW_RESULT] = {"__teasel_rmw_result", "4"},
    [TSL_HOOK_LOOP] = {"__teasel_loop", "484"},
    [TSL_HOOK_FENCE] = {"__teasel_fence", "44"},
    [TSL_HOOK_CALL] = {"__teasel_call", "p4"},
    [TSL_HOOK_EXTERN] = {"__teasel_extern", "p4488888888"},
    [TSL_HOOK_EXTERN_DONE] = {"__teasel_extern_done", "p888888888"},
    [TSL_HOOK_ICALL] = {"__teasel_icall", "p4488888888"},
    [TSL_HOOK_ICALL_DONE] = {"__teasel_icall_done", "p8"},
    [TSL_HOOK_ASM] = {"__teasel_asm", "44"},
    [TSL_HOOK_ALSO] = {"__teasel_also", "p448"},
    [TSL_HOOK_DIVIDES] = {"__teasel_divides", "884"},
    [TSL_HOOK_SECTION_BEGIN] = {"__teasel_section_begin", "4"},
    [TSL_HOOK_SECTION_END] = {"__teasel_section_end", "4"},
    [TSL_HOOK_MACHINE] = {"__teasel_machine", "8=4488"},
    [TSL_HOOK_FOUND] = {"__teasel_found", "p=pp"},
    [TSL_HOOK_FRAME] = {"__teasel_frame", "8"},
    [TSL_HOOK_REGISTER] = {"__teasel_register", "p"},
    [TSL_HOOK_SYM_BINARY] = {"__teasel_sym_binary", "4=44488"},
    [TSL_HOOK_SYM_WIDE] = {"__teasel_sym_wide", "4=4448888"},
    [TSL_HOOK_SYM_CHECK] = {"__teasel_sym_check", "444884"},
    [TSL_HOOK_SYM_CAST] = {"__teasel_sym_cast", "4=44"},
    [TSL_HOOK_SYM_LOST] = {"__teasel_sym_lost", "444"},
    [TSL_HOOK_SYM_UNFOLLOWED] = {"__teasel_sym_unfollowed", "p84"},
    [TSL_HOOK_SYM_SELECT] = {"__teasel_sym_select", "4=444448888"},
    [TSL_HOOK_SYM_BRANCH] = {"__teasel_sym_branch", "444"},
    [TSL_HOOK_SYM_SWITCH] = {"__teasel_sym_switch", "48p444"},
    [TSL_HOOK_SYM_ADDRESS] = {"__teasel_sym_address", "4p844p8"},
    [TSL_HOOK_SYM_LENGTH] = {"__teasel_sym_length", "484"},
    [TSL_HOOK_SYM_GEP] = {"__teasel_sym_gep", "4=448884"},
    [TSL_HOOK_SYM_LOAD] = {"__teasel_sym_load", "4=p4488"},
    [TSL_HOOK_SYM_STORE] = {"__teasel_sym_store", "p84"},
    [TSL_HOOK_SYM_RMW] = {"__teasel_sym_rmw", "4=4p488"},
    [TSL_HOOK_SYM_CAS] = {"__teasel_sym_cas", "4=4p448844"},
    [TSL_HOOK_SYM_COPY] = {"__teasel_sym_copy", "pp8"},
    [TSL_HOOK_SYM_FILL] = {"__teasel_sym_fill", "p48"},
    [TSL_HOOK_SYM_FUNCTION] = {"__teasel_sym_function", "4=4444888"},
    [TSL_HOOK_SYM_OVERFLOWS] = {"__teasel_sym_overflows", "4=44488"},
    [TSL_HOOK_SYM_OUTSIDE] = {"__teasel_sym_outside", "pp4"},
    [TSL_HOOK_SYM_LEAVES] = {"__teasel_sym_leaves", "4p"},
    [TSL_HOOK_SYM_ARG] = {"__teasel_sym_arg", "444"},
    [TSL_HOOK_SYM_ARGS] = {"__teasel_sym_args", "4p4"},
    [TSL_HOOK_SYM_BYVAL] = {"__teasel_sym_byval", "4=4p8"},
    [TSL_HOOK_SYM_ENTER] = {"__teasel_sym_enter", "4=p"},
    [TSL_HOOK_SYM_PARAM] = {"__teasel_sym_param", "4=44"},
    [TSL_HOOK_SYM_BYVAL_IN] = {"__teasel_sym_byval_in", "44p8"},
    [TSL_HOOK_SYM_VARIADIC] = {"__teasel_sym_variadic", "p=44"},
    [TSL_HOOK_SYM_VA_START] = {"__teasel_sym_va_start", "pp4"},
    [TSL_HOOK_SYM_GIVE] = {"__teasel_sym_give", "444"},
    [TSL_HOOK_SYM_RETURN] = {"__teasel_sym_return", "4p"},
    [TSL_HOOK_SYM_RETURNED] = {"__teasel_sym_returned", "4=p"},
    [TSL_HOOK_SYM_RESULT] = {"__teasel_sym_result", "4=44"},
};

static const char *args_of(enum tsl_hook h) {
    const char *types = signatures[h].types;
    return types[1] == '=' ? types + 2 : types;
}

static LLVMTypeRef type_of(const tsl_weaver *w, char letter) {
    return letter == 'p' ? w->ptr : letter == '4' ? w->i32 : letter == '8' ? w->i64 : w->void_;
}

void tsl_hook_declare(tsl_weaver *w) {
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    for (unsigned h = 0; h < TSL_HOOK_COUNT; h++) {
        LLVMTypeRef types[12];
        unsigned n = 0;
        const char *args = args_of((enum tsl_hook)h);
        char result = args == signatures[h].types ? 0 : signatures[h].types[0];
        for (const char *a = args; *a; a++)
            types[n++] = type_of(w, *a);
        w->hook_types[h] = LLVMFunctionType(type_of(w, result), types, n, 0);
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

bool tsl_hook_is_label(const tsl_weaver *w, LLVMValueRef callee) {
    for (unsigned h = TSL_HOOK_SYM_BINARY; h < TSL_HOOK_COUNT; h++)
        if (w->hooks[h] == callee)
            return true;
    return false;
}

LLVMValueRef tsl_hook_call_value(tsl_weaver *w, enum tsl_hook h, LLVMValueRef *args) {
    if (tsl_hook_is_large(w, w->hooks[h]))
        w->function_hooks++;
    w->label_hooks += h >= TSL_HOOK_SYM_BINARY;
    unsigned n = (unsigned)strlen(args_of(h));
    return LLVMBuildCall2(w->builder, w->hook_types[h], w->hooks[h], args, n, "");
}

static void call(tsl_weaver *w, enum tsl_hook h, LLVMValueRef *args) {
    tsl_hook_call_value(w, h, args);
}

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
        return LLVMConstInt(w->i64, 0, 0);
    LLVMValueRef by = LLVMConstInt(LLVMTypeOf(number), 64, 0);
    return LLVMBuildTrunc(w->builder, LLVMBuildLShr(w->builder, number, by, ""), w->i64, "");
}

static LLVMValueRef u32(tsl_weaver *w, uint64_t x) { return LLVMConstInt(w->i32, x, 0); }

// The runtime numbers the sites of all modules through; what is known here is
// the offset.  The base is written before any instrumented code runs, so the
// optimiser may load it once per function.
LLVMValueRef tsl_hook_site(tsl_weaver *w, uint32_t site) {
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
         (LLVMValueRef[]){p, tsl_hook_site(w, site), u32(w, kind), LLVMConstInt(w->i64, size, 0)});
}

void tsl_hook_range(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind,
                    LLVMValueRef size) {
    LLVMValueRef wide = LLVMBuildIntCast2(w->builder, size, w->i64, 0, "");
    call(w, TSL_HOOK_RANGE, (LLVMValueRef[]){p, tsl_hook_site(w, site), u32(w, kind), wide});
}

LLVMValueRef tsl_hook_copy(tsl_weaver *w, LLVMValueRef to, LLVMValueRef from, uint32_t site,
                           uint32_t kind, LLVMValueRef size) {
    LLVMValueRef wide = LLVMBuildIntCast2(w->builder, size, w->i64, 0, "");
    return tsl_hook_call_value(
        w, TSL_HOOK_COPY, (LLVMValueRef[]){to, from, tsl_hook_site(w, site), u32(w, kind), wide});
}

void tsl_hook_atomic(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, uint64_t size,
                     LLVMAtomicOrdering order) {
    call(w, TSL_HOOK_ATOMIC,
         (LLVMValueRef[]){p, tsl_hook_site(w, site), u32(w, kind), LLVMConstInt(w->i64, size, 0),
                          u32(w, c11_order(order))});
}

void tsl_hook_cas_result(tsl_weaver *w, LLVMValueRef cmpxchg, LLVMValueRef stored) {
    stored = LLVMBuildZExt(w->builder, stored, w->i32, "");
    LLVMValueRef expected = LLVMGetOperand(cmpxchg, 1);
    LLVMTypeRef type = LLVMTypeOf(expected);
    expected = LLVMGetTypeKind(type) == LLVMPointerTypeKind
                   ? LLVMBuildPtrToInt(w->builder, expected, w->i64, "")
                   : LLVMBuildIntCast2(w->builder, expected, w->i64, 0, "");
    LLVMValueRef size = LLVMConstInt(w->i64, LLVMABISizeOfType(w->layout, type), 0);
    uint64_t failure = c11_order(LLVMGetCmpXchgFailureOrdering(cmpxchg));
    failure |= LLVMGetWeak(cmpxchg) ? TSL_CAS_WEAK : 0;
    call(w, TSL_HOOK_CAS_RESULT, (LLVMValueRef[]){stored, expected, size, u32(w, failure)});
}

// Whether it wrote what was there; NULL: it did not, or that is not worth asking.
static LLVMValueRef is_unchanged(tsl_weaver *w, LLVMValueRef rmw) {
    LLVMValueRef by = LLVMGetOperand(rmw, 1);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(rmw));
    LLVMValueRef now;
    if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind)
        return NULL;
    switch (LLVMGetAtomicRMWBinOp(rmw)) {
    case LLVMAtomicRMWBinOpXchg:
        now = by;
        break;
    case LLVMAtomicRMWBinOpAnd:
        now = LLVMBuildAnd(w->builder, rmw, by, "");
        break;
    case LLVMAtomicRMWBinOpOr:
        now = LLVMBuildOr(w->builder, rmw, by, "");
        break;
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpXor:
        if (LLVMIsAConstantInt(by) && !LLVMIsNull(by))
            return NULL;
        return LLVMBuildICmp(w->builder, LLVMIntEQ, by, LLVMConstNull(LLVMTypeOf(by)), "");
    default:
        return NULL;
    }
    return LLVMBuildICmp(w->builder, LLVMIntEQ, rmw, now, "");
}

void tsl_hook_rmw_result(tsl_weaver *w, LLVMValueRef rmw) {
    LLVMValueRef same = is_unchanged(w, rmw);
    if (same)
        call(w, TSL_HOOK_RMW_RESULT, (LLVMValueRef[]){LLVMBuildZExt(w->builder, same, w->i32, "")});
}

void tsl_hook_fence(tsl_weaver *w, uint32_t site, LLVMAtomicOrdering order) {
    call(w, TSL_HOOK_FENCE, (LLVMValueRef[]){tsl_hook_site(w, site), u32(w, c11_order(order))});
}

void tsl_hook_call(tsl_weaver *w, LLVMValueRef descriptor, uint32_t site) {
    call(w, TSL_HOOK_CALL, (LLVMValueRef[]){descriptor, tsl_hook_site(w, site)});
}

// An argument or a result as 64 bits; 0 if it is no integer or pointer.
static LLVMValueRef as_word(tsl_weaver *w, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(w->builder, v, w->i64, "");
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64)
        return LLVMBuildIntCast2(w->builder, v, w->i64, LLVMGetIntTypeWidth(type) > 1, "");
    return LLVMConstInt(w->i64, 0, 0);
}

static void arguments(tsl_weaver *w, LLVMValueRef called, LLVMValueRef to[TSL_CALL_ARGS]) {
    unsigned n = LLVMGetNumArgOperands(called);
    for (unsigned i = 0; i < TSL_CALL_ARGS; i++)
        to[i] = i < n ? as_word(w, LLVMGetOperand(called, i)) : LLVMConstInt(w->i64, 0, 0);
}

static LLVMValueRef pointers(tsl_weaver *w, LLVMValueRef called) {
    uint64_t bits = 0;
    for (unsigned i = 0, n = LLVMGetNumArgOperands(called); i < n && i < TSL_CALL_ARGS; i++) {
        LLVMValueRef v = LLVMGetOperand(called, i);
        bool points = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
        if (points && !LLVMIsAConstantPointerNull(v) && !LLVMIsAFunction(v))
            bits |= 1u << i;
    }
    return LLVMConstInt(w->i32, bits, 0);
}

void tsl_hook_extern(tsl_weaver *w, LLVMValueRef descriptor, LLVMValueRef called, uint32_t site) {
    LLVMValueRef args[3 + TSL_CALL_ARGS] = {descriptor, tsl_hook_site(w, site),
                                            pointers(w, called)};
    arguments(w, called, args + 3);
    call(w, TSL_HOOK_EXTERN, args);
}

void tsl_hook_extern_done(tsl_weaver *w, LLVMValueRef descriptor, LLVMValueRef called) {
    bool is_void = LLVMGetTypeKind(LLVMTypeOf(called)) == LLVMVoidTypeKind;
    LLVMValueRef args[2 + TSL_CALL_ARGS] = {descriptor, is_void ? LLVMConstInt(w->i64, 0, 0)
                                                                : as_word(w, called)};
    arguments(w, called, args + 2);
    call(w, TSL_HOOK_EXTERN_DONE, args);
}

void tsl_hook_icall(tsl_weaver *w, LLVMValueRef called, uint32_t site) {
    LLVMValueRef args[3 + TSL_CALL_ARGS] = {LLVMGetCalledValue(called), tsl_hook_site(w, site),
                                            pointers(w, called)};
    arguments(w, called, args + 3);
    call(w, TSL_HOOK_ICALL, args);
}

void tsl_hook_icall_done(tsl_weaver *w, LLVMValueRef called) {
    bool is_void = LLVMGetTypeKind(LLVMTypeOf(called)) == LLVMVoidTypeKind;
    LLVMValueRef result = is_void ? LLVMConstInt(w->i64, 0, 0) : as_word(w, called);
    call(w, TSL_HOOK_ICALL_DONE, (LLVMValueRef[]){LLVMGetCalledValue(called), result});
}

void tsl_hook_asm(tsl_weaver *w, uint32_t site, uint32_t flags) {
    call(w, TSL_HOOK_ASM, (LLVMValueRef[]){tsl_hook_site(w, site), u32(w, flags)});
}

void tsl_hook_also(tsl_weaver *w, LLVMValueRef p, uint32_t site, uint32_t kind, uint64_t size) {
    call(w, TSL_HOOK_ALSO,
         (LLVMValueRef[]){p, tsl_hook_site(w, site), u32(w, kind), LLVMConstInt(w->i64, size, 0)});
}

void tsl_hook_frame(tsl_weaver *w, LLVMValueRef bytes) {
    call(w, TSL_HOOK_FRAME, (LLVMValueRef[]){LLVMBuildIntCast2(w->builder, bytes, w->i64, 0, "")});
}
