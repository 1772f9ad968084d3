// Walks a module and inserts the hooks; see instrument.h.
#include "cc/instrument.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "cc/asmgoto.h"
#include "cc/escape.h"
#include "cc/hook.h"
#include "cc/label.h"
#include "cc/machine.h"
#include "cc/memory.h"
#include "cc/opaque.h"
#include "cc/register.h"
#include "cc/relax.h"
#include "cc/spin.h"
#include "cc/symbolic.h"
#include "cc/trap.h"

// Frames of this size or more are announced, so that the restart knows how deep the stack was.
#define BIG_FRAME 1024u

// A function with more hooks of a size than this calls them: time in the back end grows faster than
// the size of a function.  The sqlite3 amalgamation (25 s with plain clang -O2) takes 170 s if all
// LARGE hooks are inlined, 136 s with the limit 512, 109 s with 128, 78 s with 32, and 28 s if none
// is inlined.
static const uint32_t most_inlined[] = {
    [TSL_SIZE_SMALL] = UINT32_MAX, [TSL_SIZE_LARGE] = 100, [TSL_SIZE_LABEL] = 80};

// ---------------------------------------------------------------- frames

static uint64_t fixed_size(tsl_weaver *w, LLVMValueRef alloca) {
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0));
    return count * LLVMABISizeOfType(w->layout, LLVMGetAllocatedType(alloca));
}

static bool is_fixed(LLVMValueRef alloca) {
    LLVMBasicBlockRef entry =
        LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(alloca)));
    return LLVMGetInstructionParent(alloca) == entry &&
           LLVMIsAConstantInt(LLVMGetOperand(alloca, 0)) &&
           !tsl_memory_is_scalable(LLVMGetAllocatedType(alloca));
}

static void announce_frame(tsl_weaver *w) {
    LLVMValueRef inst = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function));
    uint64_t total = 0;
    LLVMValueRef place = NULL;
    for (; inst; inst = LLVMGetNextInstruction(inst)) {
        if (LLVMIsAAllocaInst(inst) && is_fixed(inst))
            total += fixed_size(w, inst);
        else if (!place) // after the leading allocas, which passes expect first
            place = inst;
    }
    if (total < BIG_FRAME)
        return;
    tsl_hook_before(w, place);
    TSL_INSERT(w, frame, tsl_u64(w, total));
}

static void visit_alloca(tsl_weaver *w, LLVMValueRef alloca) {
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    if (is_fixed(alloca) || tsl_memory_is_scalable(type))
        return;
    tsl_hook_after(w, alloca);
    LLVMValueRef count = LLVMBuildIntCast2(w->builder, LLVMGetOperand(alloca, 0), w->i64, 0, "");
    LLVMValueRef each = tsl_u64(w, LLVMABISizeOfType(w->layout, type));
    TSL_INSERT(w, frame, LLVMBuildMul(w->builder, count, each, ""));
}

// ---------------------------------------------------------------- walking

static void visit(tsl_weaver *w, LLVMValueRef inst) {
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        tsl_memory_load(w, inst);
        tsl_trap_load(w, inst);
        tsl_machine_segment(w, inst);
        break;
    case LLVMStore:
        tsl_memory_store(w, inst);
        tsl_trap_store(w, inst);
        break;
    case LLVMAtomicRMW:
        tsl_memory_rmw(w, inst);
        break;
    case LLVMAtomicCmpXchg:
        tsl_memory_cas(w, inst);
        break;
    case LLVMFence:
        tsl_memory_fence(w, inst);
        break;
    case LLVMCall:
        if (tsl_machine_question(w, inst))
            break;
        // fall through
    case LLVMCallBr:
        tsl_memory_call(w, inst); // what the call itself reads: copies, by-value arguments
        tsl_opaque_call(w, inst); // what it calls: another module, a pointer, inline assembly
        break;
    case LLVMAlloca:
        visit_alloca(w, inst);
        break;
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        tsl_trap_division(w, inst);
        break;
    default:
        break;
    }
}

static bool is_many(const tsl_weaver *w, enum tsl_hook_size size) {
    return w->inserted[size] > most_inlined[size];
}

// Calls of hooks that are not inlined lead to the one copy that the module has.
static void limit_inlining(tsl_weaver *w) {
    if (!is_many(w, TSL_SIZE_LARGE) && !is_many(w, TSL_SIZE_LABEL))
        return;
    LLVMAttributeRef noinline =
        LLVMCreateEnumAttribute(w->context, tsl_llvm_attribute("noinline"), 0);
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function);
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && is_many(w, tsl_hook_size_of(w, LLVMGetCalledValue(i))))
                LLVMAddCallSiteAttribute(i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         noinline);
}

// ---------------------------------------------------------------- atomic functions

// SV-COMP: a function whose name starts with __VERIFIER_atomic_ runs as one step.
static bool is_section(LLVMValueRef f) {
    const char *name = tsl_llvm_name(f);
    return tsl_llvm_starts(f, "__VERIFIER_atomic_") &&
           strcmp(name, "__VERIFIER_atomic_begin") != 0 &&
           strcmp(name, "__VERIFIER_atomic_end") != 0;
}

static void make_section(tsl_weaver *w) {
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function);
    LLVMValueRef first = LLVMGetFirstInstruction(b);
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (!last || !LLVMIsAReturnInst(last))
            continue;
        tsl_hook_before(w, last);
        TSL_INSERT(w, section_end, tsl_hook_site_of(w, last, TSL_SITE_OTHER));
    }
    tsl_hook_before(w, first);
    TSL_INSERT(w, section_begin, tsl_hook_site_of(w, first, TSL_SITE_OTHER));
}

static void instrument_function(tsl_weaver *w, LLVMValueRef f) {
    w->function = f;
    w->subprogram = LLVMGetSubprogram(f);
    memset(w->inserted, 0, sizeof w->inserted);
    tsl_sites_enter(&w->sites, f);
    tsl_asmgoto_split(w);
    tsl_escape_analyse(w);
    tsl_trap_find(w);
    tsl_spin_find(w);
    tsl_symbolic_function(w);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i); // hooks are put around i, never visited
            visit(w, i);
        }
    announce_frame(w);
    tsl_asmgoto_finish(w);
    tsl_spin_hook(w);
    if (is_section(f))
        make_section(w);
    limit_inlining(w);
    tsl_cover_function(w);
    tsl_vec_push(&w->functions, f);
}

// ---------------------------------------------------------------- which functions

static void exclude(tsl_weaver *w, tsl_set *early, LLVMValueRef f);

static void exclude_callees(tsl_weaver *w, tsl_set *early, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)))
                exclude(w, early, LLVMGetCalledValue(i));
}

static void exclude(tsl_weaver *w, tsl_set *early, LLVMValueRef f) {
    if (!LLVMIsDeclaration(f) && tsl_set_insert(early, (uint64_t)(uintptr_t)f))
        exclude_callees(w, early, f);
}

// Resolvers of indirect functions run while the program is still being
// relocated, before there is a runtime to call.
static void find_early(tsl_weaver *w, tsl_set *early) {
    LLVMValueRef i = LLVMGetFirstGlobalIFunc(w->module);
    for (; i; i = LLVMGetNextGlobalIFunc(i)) {
        LLVMValueRef resolver = tsl_escape_base(LLVMGetGlobalIFuncResolver(i));
        if (LLVMIsAFunction(resolver))
            exclude(w, early, resolver);
    }
}

// A naked function is assembly with a C name: it has no frame to call from.
static bool wanted(LLVMValueRef f, const tsl_set *early) {
    return !LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage &&
           !tsl_llvm_has(f, "naked") && !tsl_set_has(early, (uint64_t)(uintptr_t)f);
}

// ---------------------------------------------------------------- the module

static void weaver_init(tsl_weaver *w, LLVMModuleRef module, const char *cwd) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    *w = (tsl_weaver){.module = module,
                      .context = c,
                      .layout = LLVMGetModuleDataLayout(module),
                      .builder = LLVMCreateBuilderInContext(c),
                      .void_ = LLVMVoidTypeInContext(c),
                      .i8 = LLVMInt8TypeInContext(c),
                      .i32 = LLVMInt32TypeInContext(c),
                      .i64 = LLVMInt64TypeInContext(c),
                      .ptr = LLVMPointerTypeInContext(c, 0),
                      .invariant_load = LLVMGetMDKindIDInContext(c, "invariant.load", 14),
                      .loop = LLVMGetMDKindIDInContext(c, "llvm.loop", 9),
                      .cwd = cwd};
    tsl_sites_init(&w->sites);
    tsl_labels_init(w);
}

static void weaver_drop(tsl_weaver *w) {
    LLVMDisposeBuilder(w->builder);
    tsl_sites_drop(&w->sites);
    tsl_externs_drop(&w->externs);
    tsl_cover_drop(&w->cover);
    tsl_vec_drop(&w->functions);
    tsl_set_drop(&w->local);
    tsl_set_drop(&w->needed);
    tsl_labels_clear(w);
    tsl_spin_drop(w);
    tsl_vec_drop(&w->gotos);
}

static bool verify(LLVMModuleRef module, tsl_err *err) {
    char *text = NULL;
    bool ok = !LLVMVerifyModule(module, LLVMReturnStatusAction, &text);
    if (!ok)
        tsl_fail(err, TSL_EINPUT, "instrumented module is broken (a bug in teasel-cc): %s", text);
    LLVMDisposeMessage(text);
    return ok;
}

bool tsl_instrument(LLVMModuleRef module, const char *cwd, tsl_err *err) {
    tsl_weaver w;
    tsl_set early = {0};
    weaver_init(&w, module, cwd);
    find_early(&w, &early);
    tsl_externs_redirect(module);
    tsl_relax_module(&w);
    tsl_externs_collect(&w);
    tsl_hook_declare(&w);
    tsl_cover_init(&w);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (wanted(f, &early))
            instrument_function(&w, f);
    tsl_register_emit(&w);
    weaver_drop(&w);
    tsl_set_drop(&early);
    return verify(module, err);
}
