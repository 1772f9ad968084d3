// Calls that leave the module; see opaque.h.
#include "cc/opaque.h"

#include "abi/wire.h"
#include "cc/asmstep.h"
#include "cc/hook.h"

void tsl_opaque_call(tsl_weaver *w, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        tsl_asmstep_visit(w, call);
    } else if (LLVMIsAFunction(callee)) {
        LLVMValueRef descriptor = tsl_externs_call(w, callee);
        if (!descriptor)
            return;
        tsl_hook_before(w, call);
        tsl_hook_call(w, descriptor, tsl_sites_add(w, call, TSL_SITE_CALL));
    } else if (!LLVMIsAGlobalValue(callee)) { // aliases and ifuncs belong to this module
        w->counts.icalls++;
        tsl_hook_before(w, call);
        tsl_hook_icall(w, tsl_sites_add(w, call, TSL_SITE_CALL));
    }
}
