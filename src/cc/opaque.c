// Announces calls that leave the module; see opaque.h.
#include "cc/opaque.h"

#include <string.h>

#include "abi/wire.h"
#include "cc/asmstep.h"
#include "cc/hook.h"
#include "cc/libc.h"
#include "cc/machine.h"

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
    LLVMValueRef args[] = {LLVMGetUndef(type), LLVMGetOperand(call, 1)};
    LLVMValueRef found = tsl_hook_call_value(w, TSL_HOOK_FOUND, args);
    LLVMReplaceAllUsesWith(call, found);
    LLVMSetOperand(found, 0, call);
}

// Functions of the runtime announce their own steps.  For all others the arguments are passed on,
// because only linking decides whether the function is instrumented.
static void visit_extern(tsl_weaver *w, LLVMValueRef call, LLVMValueRef callee,
                         LLVMValueRef descriptor) {
    size_t len;
    const char *name = LLVMGetValueName2(callee, &len);
    unsigned tells = tsl_libc_tells(name);
    uint32_t site = tsl_sites_add(w, call, TSL_SITE_CALL);
    tsl_hook_before(w, call);
    if (tells & TSL_TELLS_BEFORE)
        tsl_hook_extern(w, descriptor, call, site);
    else
        tsl_hook_call(w, descriptor, site);
    if ((tells & TSL_TELLS_AFTER) && returns_here(call)) {
        tsl_hook_after(w, call);
        tsl_hook_extern_done(w, descriptor, call);
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
        tsl_hook_icall(w, call, tsl_sites_add(w, call, TSL_SITE_CALL));
        if (returns_here(call)) {
            tsl_hook_after(w, call);
            tsl_hook_icall_done(w, call);
        }
    }
}
