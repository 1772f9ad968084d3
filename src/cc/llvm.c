// Questions to LLVM; see llvm.h.
#include "cc/llvm.h"

#include <string.h>

#include "base/set.h"

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

const char *tsl_llvm_name(LLVMValueRef global) {
    size_t len;
    return LLVMGetValueName2(global, &len);
}

bool tsl_llvm_starts(LLVMValueRef global, const char *prefix) {
    return !strncmp(tsl_llvm_name(global), prefix, strlen(prefix));
}

bool tsl_llvm_is_intrinsic(LLVMValueRef callee) {
    return LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee);
}

bool tsl_llvm_copies(LLVMValueRef callee) {
    return tsl_llvm_starts(callee, "llvm.memcpy.") || tsl_llvm_starts(callee, "llvm.memmove.");
}

bool tsl_llvm_fills(LLVMValueRef callee) { return tsl_llvm_starts(callee, "llvm.memset."); }

bool tsl_llvm_is_constant(LLVMValueRef base) {
    return LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base);
}

// ---------------------------------------------------------------- attributes

unsigned tsl_llvm_attribute(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

bool tsl_llvm_has(LLVMValueRef function, const char *attribute) {
    return LLVMGetEnumAttributeAtIndex(function, FUNCTION_INDEX, tsl_llvm_attribute(attribute));
}

void tsl_llvm_add(LLVMValueRef function, const char *attribute) {
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    unsigned kind = tsl_llvm_attribute(attribute);
    LLVMAddAttributeAtIndex(function, FUNCTION_INDEX, LLVMCreateEnumAttribute(context, kind, 0));
}

void tsl_llvm_remove(LLVMValueRef function, const char *attribute) {
    LLVMRemoveEnumAttributeAtIndex(function, FUNCTION_INDEX, tsl_llvm_attribute(attribute));
}

LLVMTypeRef tsl_llvm_param_type(LLVMValueRef function, unsigned i, const char *attribute) {
    LLVMAttributeRef a =
        LLVMGetEnumAttributeAtIndex(function, i + 1, tsl_llvm_attribute(attribute));
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

LLVMTypeRef tsl_llvm_operand_type(LLVMValueRef call, unsigned i, const char *attribute) {
    LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, tsl_llvm_attribute(attribute));
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

// ---------------------------------------------------------------- tables, blocks

LLVMValueRef tsl_llvm_add_table(LLVMModuleRef module, const char *name, LLVMValueRef value) {
    LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetGlobalConstant(global, 1);
    return global;
}

LLVMValueRef tsl_llvm_add_bytes(LLVMModuleRef module, const char *name, const void *data,
                                size_t len) {
    LLVMContextRef context = LLVMGetModuleContext(module);
    return tsl_llvm_add_table(module, name, LLVMConstStringInContext2(context, data, len, 1));
}

// Works without recursion, because functions may be long.
void tsl_llvm_order(LLVMValueRef function, tsl_blocks *out) {
    struct frame {
        LLVMBasicBlockRef block;
        unsigned next;
    };
    TSL_VEC(struct frame) stack = {0};
    tsl_set seen = {0};
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    tsl_set_insert(&seen, (uint64_t)(uintptr_t)entry);
    tsl_vec_push(&stack, (struct frame){entry, 0});
    while (stack.len) {
        struct frame *top = &tsl_vec_last(&stack);
        LLVMValueRef last = LLVMGetBasicBlockTerminator(top->block);
        if (last && top->next < LLVMGetNumSuccessors(last)) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(last, top->next++);
            if (tsl_set_insert(&seen, (uint64_t)(uintptr_t)to))
                tsl_vec_push(&stack, (struct frame){to, 0});
            continue;
        }
        tsl_vec_push(out, tsl_vec_pop(&stack).block);
    }
    tsl_vec_drop(&stack);
    tsl_set_drop(&seen);
    for (size_t i = 0, j = out->len; i + 1 < j; i++) {
        LLVMBasicBlockRef b = out->data[i];
        out->data[i] = out->data[--j];
        out->data[j] = b;
    }
}
