// Takes back promises to the optimiser; see relax.h.
#include "cc/relax.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

// ---------------------------------------------------------------- promotion

// The pass is mem2reg and not sroa: sroa splits the copy of a struct into its fields and drops
// those that are not used, and with them accesses that the source makes.
bool tsl_relax_promote(LLVMModuleRef module, tsl_err *err) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        // No other module need define these; the others are compiled in their own module.
        if (LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage && tsl_llvm_has(f, "alwaysinline"))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(module, "elim-avail-extern,function(mem2reg,break-crit-edges)",
                                   NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!e)
        return true;
    char *text = LLVMGetErrorMessage(e);
    tsl_fail(err, TSL_EINPUT, "promoting locals: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

// ---------------------------------------------------------------- forced inlining

// Sources that force large functions inline, many levels deep, rely on constants to fold most of
// the code away.  With hooks nothing folds, and compile time explodes (lz4hc.c: half a minute).
// Functions with assembly are still inlined, because their operands may have to be constants.
#define LARGE_INLINE 60

static bool is_large(LLVMValueRef f) {
    size_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            count++;
            if (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
                return false;
        }
    return count >= LARGE_INLINE;
}

static void relax_inlining(LLVMValueRef f) {
    if (is_large(f))
        tsl_llvm_remove(f, "alwaysinline");
}

// ---------------------------------------------------------------- attributes

static const char *const function_promises[] = {
    "memory",       "nosync",       "nofree",    "willreturn", "optnone",
    "mustprogress", "speculatable", "norecurse", "allockind",  "nocallback"};
static const char *const param_promises[] = {"noalias", "readonly", "readnone", "writeonly",
                                             "nofree"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

typedef struct kinds {
    unsigned function[COUNT(function_promises)], param[COUNT(param_promises)];
    LLVMAttributeRef nobuiltin, null_is_valid;
} kinds;

static kinds look_up(LLVMModuleRef module) {
    kinds k;
    k.nobuiltin =
        LLVMCreateEnumAttribute(LLVMGetModuleContext(module), tsl_llvm_attribute("nobuiltin"), 0);
    k.null_is_valid = LLVMCreateEnumAttribute(LLVMGetModuleContext(module),
                                              tsl_llvm_attribute("null_pointer_is_valid"), 0);
    for (size_t i = 0; i < COUNT(function_promises); i++)
        k.function[i] = tsl_llvm_attribute(function_promises[i]);
    for (size_t i = 0; i < COUNT(param_promises); i++)
        k.param[i] = tsl_llvm_attribute(param_promises[i]);
    return k;
}

static void relax_function(LLVMValueRef f, const kinds *k) {
    LLVMAddAttributeAtIndex(f, FUNCTION_INDEX, k->null_is_valid); // keeps reads that must crash
    for (size_t i = 0; i < COUNT(k->function); i++)
        LLVMRemoveEnumAttributeAtIndex(f, FUNCTION_INDEX, k->function[i]);
    for (unsigned p = 0, n = LLVMCountParams(f); p < n; p++)
        for (size_t i = 0; i < COUNT(k->param); i++)
            LLVMRemoveEnumAttributeAtIndex(f, p + 1, k->param[i]);
}

static void relax_call(LLVMValueRef call, const kinds *k) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee) || tsl_llvm_is_intrinsic(callee))
        return;
    for (size_t i = 0; i < COUNT(k->function); i++)
        LLVMRemoveCallSiteEnumAttribute(call, FUNCTION_INDEX, k->function[i]);
    // The optimiser knows malloc, printf and so on, and drops or replaces calls of them: a block
    // that is freed twice but never read would not even be allocated.
    LLVMAddCallSiteAttribute(call, FUNCTION_INDEX, k->nobuiltin);
    for (unsigned p = 0, n = LLVMGetNumArgOperands(call); p < n; p++)
        for (size_t i = 0; i < COUNT(k->param); i++)
            LLVMRemoveCallSiteEnumAttribute(call, p + 1, k->param[i]);
}

static void relax_body(tsl_weaver *w, LLVMValueRef f, const kinds *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i))
                relax_call(i, k);
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (last)
            LLVMSetMetadata(last, w->loop, NULL); // may promise that the loop makes progress
    }
}

void tsl_relax_module(tsl_weaver *w) {
    kinds k = look_up(w->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(w->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMGetIntrinsicID(f))
            continue;
        relax_function(f, &k);
        relax_inlining(f);
        relax_body(w, f, &k);
    }
}
