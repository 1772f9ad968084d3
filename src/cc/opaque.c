// Announces calls that leave the module; see opaque.h.
#include "cc/opaque.h"

#include <string.h>

#include "abi/hooks.h"
#include "cc/asmstep.h"
#include "cc/hook.h"
#include "cc/libc.h"
#include "cc/machine.h"

// ---------------------------------------------------------------- arguments

// An argument or a result as 64 bits; 0 if it is no integer or pointer.
static LLVMValueRef as_word(tsl_weaver *w, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(w->builder, v, w->i64, "");
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64)
        return LLVMBuildIntCast2(w->builder, v, w->i64, LLVMGetIntTypeWidth(type) > 1, "");
    return tsl_u64(w, 0);
}

static void arguments(tsl_weaver *w, LLVMValueRef called, LLVMValueRef to[TSL_CALL_ARGS]) {
    unsigned n = LLVMGetNumArgOperands(called);
    for (unsigned i = 0; i < TSL_CALL_ARGS; i++)
        to[i] = i < n ? as_word(w, LLVMGetOperand(called, i)) : tsl_u64(w, 0);
}

static LLVMValueRef pointers(tsl_weaver *w, LLVMValueRef called) {
    uint64_t bits = 0;
    for (unsigned i = 0, n = LLVMGetNumArgOperands(called); i < n && i < TSL_CALL_ARGS; i++) {
        LLVMValueRef v = LLVMGetOperand(called, i);
        bool points = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
        if (points && !LLVMIsAConstantPointerNull(v) && !LLVMIsAFunction(v))
            bits |= 1u << i;
    }
    return tsl_u32(w, bits);
}

static LLVMValueRef result_of(tsl_weaver *w, LLVMValueRef called) {
    bool is_void = LLVMGetTypeKind(LLVMTypeOf(called)) == LLVMVoidTypeKind;
    return is_void ? tsl_u64(w, 0) : as_word(w, called);
}

// Inserts extern or icall, which have the same parameters.
static void announce(tsl_weaver *w, enum tsl_hook h, LLVMValueRef callee, LLVMValueRef called,
                     LLVMValueRef site) {
    _Static_assert((unsigned)TSL_ARITY_extern == 3 + TSL_CALL_ARGS &&
                       (unsigned)TSL_ARITY_icall == 3 + TSL_CALL_ARGS,
                   "both pass the called function, the site and the pointers first");
    LLVMValueRef args[3 + TSL_CALL_ARGS] = {callee, site, pointers(w, called)};
    arguments(w, called, args + 3);
    tsl_hook_insert(w, h, args);
}

static void announce_return(tsl_weaver *w, LLVMValueRef descriptor, LLVMValueRef called) {
    LLVMValueRef args[TSL_ARITY_extern_done] = {descriptor, result_of(w, called)};
    arguments(w, called, args + 2);
    tsl_hook_insert(w, TSL_HOOK_extern_done, args);
}

// ---------------------------------------------------------------- calls

// Can hooks stand after the call?  Not between a mandatory tail call and its return.
static bool returns_here(LLVMValueRef call) {
    return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail;
}

// A function that the runtime replaces is also replaced when dlsym looks it up by name.
static void visit_lookup(tsl_weaver *w, LLVMValueRef call, const char *callee) {
    LLVMTypeRef type = LLVMTypeOf(call);
    if ((strcmp(callee, "dlsym") != 0 && strcmp(callee, "dlvsym") != 0) ||
        LLVMGetNumArgOperands(call) < 2 || type != LLVMTypeOf(LLVMGetOperand(call, 1)))
        return;
    tsl_hook_after(w, call);
    LLVMValueRef found = TSL_INSERT(w, found, LLVMGetUndef(type), LLVMGetOperand(call, 1));
    LLVMReplaceAllUsesWith(call, found);
    LLVMSetOperand(found, 0, call);
}

// Functions of the runtime announce their own steps.  For all others the arguments are passed on,
// because only linking decides whether the function is instrumented.
static void visit_extern(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee,
                         LLVMValueRef descriptor) {
    const char *name = tsl_llvm_name(callee);
    unsigned tells = tsl_libc_tells(name);
    uint32_t site = tsl_sites_add(w, call, TSL_SITE_CALL);
    tsl_hook_before(w, call);
    if (tells & TSL_TELLS_BEFORE)
        announce(w, TSL_HOOK_extern, descriptor, call, tsl_hook_site(w, site));
    else
        TSL_INSERT(w, call, descriptor, tsl_hook_site(w, site));
    if ((tells & TSL_TELLS_AFTER) && returns_here(call)) {
        tsl_hook_after(w, call);
        announce_return(w, descriptor, call);
    }
    if (returns_here(call))
        visit_lookup(w, call, name);
}

void tsl_opaque_call(tsl_weaver *w, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        tsl_asmstep_visit(w, call);
    } else if (LLVMIsAFunction(callee)) {
        LLVMValueRef descriptor = tsl_externs_call(w, callee);
        if (!descriptor)
            return;
        tsl_machine_function(w, call, callee);
        visit_extern(w, call, callee, descriptor);
    } else if (!LLVMIsAGlobalValue(callee)) { // aliases and ifuncs belong to this module
        w->counts.icalls++;
        tsl_hook_before(w, call);
        announce(w, TSL_HOOK_icall, callee, call, tsl_hook_site_of(w, call, TSL_SITE_CALL));
        if (returns_here(call)) {
            tsl_hook_after(w, call);
            TSL_INSERT(w, icall_done, callee, result_of(w, call));
        }
    }
}
