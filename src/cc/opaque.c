// Calls that leave the module; see opaque.h.
#include "cc/opaque.h"

#include <ctype.h>
#include <string.h>

#include "abi/wire.h"
#include "cc/hook.h"

static bool is_blank(const char *text, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (!isspace((unsigned char)text[i]))
            return false;
    return true;
}

// '*' marks an operand in memory; a register that holds a pointer may be used
// to reach memory behind the compiler's back, so it counts too.
static bool touches_memory(LLVMValueRef call, LLVMValueRef assembly) {
    size_t len;
    const char *constraints = LLVMGetInlineAsmConstraintString(assembly, &len);
    if (memmem(constraints, len, "~{memory}", 9) || memchr(constraints, '*', len))
        return true;
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            return true;
    return false;
}

static bool is_one_of(const char *const *names, const char *text, size_t len) {
    while (len && isspace((unsigned char)*text))
        text++, len--;
    while (len && (isspace((unsigned char)text[len - 1]) || text[len - 1] == ';'))
        len--;
    for (; *names; names++)
        if (strlen(*names) == len && !memcmp(*names, text, len))
            return true;
    return false;
}

// Instructions that tell the processor to take its time.
static bool is_hint(const char *text, size_t len) {
    static const char *const hints[] = {"pause", "rep; nop", "rep;nop", "rep nop", "rep\nnop",
                                        "nop",   "yield",    "isb",     "wfe",     NULL};
    return is_one_of(hints, text, len);
}

// And those that only order what is accessed.
static bool is_fence(const char *text, size_t len) {
    static const char *const fences[] = {"mfence",
                                         "lfence",
                                         "sfence",
                                         "lock; addl $$0,0(%esp)",
                                         "lock; addl $$0,0(%rsp)",
                                         "dmb ish",
                                         "dmb ishld",
                                         "dmb ishst",
                                         "dmb sy",
                                         NULL};
    return is_one_of(fences, text, len);
}

static void visit_asm(tsl_weaver *w, LLVMValueRef call, LLVMValueRef assembly) {
    size_t len;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &len);
    if (is_blank(text, len) || is_hint(text, len) || !touches_memory(call, assembly))
        return;
    tsl_hook_before(w, call);
    if (is_fence(text, len)) {
        tsl_hook_fence(w, tsl_sites_add(w, call, TSL_SITE_OTHER),
                       LLVMAtomicOrderingSequentiallyConsistent);
        return;
    }
    w->counts.asms++;
    tsl_hook_asm(w, tsl_sites_add(w, call, TSL_SITE_ASM));
}

void tsl_opaque_call(tsl_weaver *w, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        visit_asm(w, call, callee);
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
