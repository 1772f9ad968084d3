// Links the fast paths; see fastpath.h.
#include "cc/fastpath.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "cc/llvm.h"

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

bool tsl_module_read(LLVMContextRef context, const char *path, LLVMModuleRef *module,
                     tsl_err *err) {
    LLVMMemoryBufferRef bytes;
    char *text = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &text)) {
        tsl_fail(err, TSL_EIO, "read %s: %s", path, text);
        LLVMDisposeMessage(text);
        return false;
    }
    if (LLVMParseIRInContext(context, bytes, module, &text)) {
        tsl_fail(err, TSL_EINPUT, "%s is not LLVM bitcode: %s", path, text);
        LLVMDisposeMessage(text);
        return false;
    }
    return true;
}

// Module flags (PIC level, wchar size, ...) belong to the user's module alone;
// merging those of the fast paths would change them or fail.  The C API can't
// remove named metadata, so it is cut out of the text.
static bool without_flags(LLVMModuleRef *module, tsl_err *err) {
    LLVMContextRef context = LLVMGetModuleContext(*module);
    char *text = LLVMPrintModuleToString(*module);
    char *line = strstr(text, "\n!llvm.module.flags");
    if (line)
        line[1] = ';'; // a comment
    LLVMMemoryBufferRef copy =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "fast paths");
    LLVMDisposeMessage(text);
    LLVMDisposeModule(*module);
    *module = NULL;
    char *problem = NULL;
    if (!LLVMParseIRInContext(context, copy, module, &problem))
        return true;
    tsl_fail(err, TSL_EINPUT, "fast paths: %s", problem);
    LLVMDisposeMessage(problem);
    return false;
}

// Fast paths must fit into any function, whatever processor it is compiled for.
static void make_inline(LLVMValueRef f) {
    static const char *const texts[] = {"target-cpu", "target-features", "tune-cpu",
                                        "min-legal-vector-width"};
    tsl_llvm_remove(f, "noinline");
    tsl_llvm_remove(f, "optnone");
    tsl_llvm_add(f, "alwaysinline");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        LLVMRemoveStringAttributeAtIndex(f, FUNCTION_INDEX, texts[i], (unsigned)strlen(texts[i]));
}

static void collect(LLVMModuleRef paths, tsl_texts *defined) {
    for (LLVMValueRef f = LLVMGetFirstFunction(paths); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        make_inline(f);
        if (LLVMGetLinkage(f) != LLVMInternalLinkage)
            tsl_vec_push(defined, tsl_strdup(tsl_llvm_name(f)));
    }
}

static void internalise(LLVMModuleRef module, tsl_texts *defined) {
    for (size_t i = 0; i < defined->len; i++) {
        LLVMValueRef f = LLVMGetNamedFunction(module, defined->data[i]);
        LLVMSetVisibility(f, LLVMDefaultVisibility); // internal symbols have no other
        LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    tsl_texts_drop(defined);
}

bool tsl_fastpath_link(LLVMModuleRef module, const char *path, tsl_err *err) {
    LLVMModuleRef paths;
    if (!tsl_module_read(LLVMGetModuleContext(module), path, &paths, err))
        return false;
    LLVMStripModuleDebugInfo(paths);
    if (!without_flags(&paths, err))
        return false;
    // Both are for the same machine, which the command line may spell differently.
    LLVMSetTarget(paths, LLVMGetTarget(module));
    LLVMSetDataLayout(paths, LLVMGetDataLayoutStr(module));
    tsl_texts defined = {0};
    collect(paths, &defined);
    if (LLVMLinkModules2(module, paths))
        return tsl_fail(err, TSL_EINPUT, "linking %s failed", path);
    internalise(module, &defined);
    return true;
}
