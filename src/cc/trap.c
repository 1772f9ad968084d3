// Keeps traps from being optimised away; see trap.h.
#include "cc/trap.h"

#include "cc/escape.h"
#include "cc/hook.h"

// ---------------------------------------------------------------- what is needed

static bool is_needed(const tsl_weaver *w, LLVMValueRef v) {
    return tsl_set_has(&w->needed, (uint64_t)(uintptr_t)v);
}

static void need(tsl_weaver *w, tsl_values *work, LLVMValueRef v) {
    if (LLVMIsAInstruction(v) && tsl_set_insert(&w->needed, (uint64_t)(uintptr_t)v))
        tsl_vec_push(work, v);
}

static void need_operands(tsl_weaver *w, tsl_values *work, LLVMValueRef inst) {
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(inst); i < n; i++)
        need(w, work, LLVMGetOperand(inst, i));
}

// Is the call needed only if its result is?  That is true of intrinsics that compute something, and
// of those that only tell the compiler something.
static bool only_computes(LLVMValueRef call) {
    static const char *const hints[] = {"llvm.dbg", "llvm.lifetime", "llvm.assume"};
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!tsl_llvm_is_intrinsic(callee))
        return false;
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (tsl_llvm_starts(callee, hints[i]))
            return true;
    return LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
}

// Does it call a function of this module, whose needed arguments the optimiser sees?
static bool is_seen(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    return LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee);
}

// Finds values that the instruction needs in any case.  The caller may drop a returned value.
static void need_roots(tsl_weaver *w, tsl_values *work, LLVMValueRef inst) {
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad: // the hook uses the address
        need(w, work, LLVMGetOperand(inst, 0));
        break;
    case LLVMStore:
        if (!tsl_escape_is_private(w, LLVMGetOperand(inst, 1)) || LLVMGetVolatile(inst))
            need_operands(w, work, inst);
        break;
    case LLVMCall:
        if (!only_computes(inst) && !is_seen(inst))
            need_operands(w, work, inst);
        break;
    case LLVMBr:
    case LLVMSwitch:
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMCallBr:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMSDiv: // the test uses both operands
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
        need_operands(w, work, inst);
        break;
    default:
        break;
    }
}

// x * 0, x & 0, x - x, x ^ x: the result says nothing about x.
static bool is_void(LLVMValueRef inst) {
    LLVMOpcode op = LLVMGetInstructionOpcode(inst);
    bool same = op == LLVMSub || op == LLVMXor, zero = op == LLVMMul || op == LLVMAnd;
    if (!same && !zero)
        return false;
    LLVMValueRef a = LLVMGetOperand(inst, 0), b = LLVMGetOperand(inst, 1);
    return same ? a == b : LLVMIsNull(a) || LLVMIsNull(b);
}

void tsl_trap_find(tsl_weaver *w) {
    tsl_values work = {0};
    tsl_set_clear(&w->needed);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            need_roots(w, &work, i);
    while (work.len) {
        LLVMValueRef v = tsl_vec_pop(&work);
        if (LLVMIsAPHINode(v))
            for (unsigned i = 0, n = LLVMCountIncoming(v); i < n; i++)
                need(w, &work, LLVMGetIncomingValue(v, i));
        else if (!is_void(v))
            need_operands(w, &work, v);
    }
    tsl_vec_drop(&work);
}

// ---------------------------------------------------------------- division

static bool is_signed(LLVMValueRef division) {
    LLVMOpcode op = LLVMGetInstructionOpcode(division);
    return op == LLVMSDiv || op == LLVMSRem;
}

// Constants are harmless if they are neither zero nor, in a signed division, minus one.
bool tsl_trap_is_harmless(LLVMValueRef divisor, bool with_sign) {
    return LLVMIsAConstantInt(divisor) && !LLVMIsNull(divisor) &&
           !(with_sign && LLVMConstIntGetSExtValue(divisor) == -1 &&
             LLVMGetIntTypeWidth(LLVMTypeOf(divisor)) <= 64);
}

static void test_scalar(tsl_weaver *w, LLVMValueRef a, LLVMValueRef b, bool with_sign) {
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(a));
    if (tsl_trap_is_harmless(b, with_sign))
        return;
    if (width > 64) { // done by a function of the compiler's library, which traps for zero only
        b = LLVMBuildICmp(w->builder, LLVMIntNE, b, LLVMConstNull(LLVMTypeOf(b)), "");
        a = b;
        with_sign = false;
    }
    TSL_INSERT(w, divides, LLVMBuildIntCast2(w->builder, a, w->i64, with_sign, ""),
               LLVMBuildIntCast2(w->builder, b, w->i64, with_sign, ""),
               tsl_u32(w, with_sign ? width : 0));
}

void tsl_trap_division(tsl_weaver *w, LLVMValueRef division) {
    LLVMValueRef a = LLVMGetOperand(division, 0), b = LLVMGetOperand(division, 1);
    LLVMTypeRef type = LLVMTypeOf(division);
    bool with_sign = is_signed(division);
    tsl_hook_before(w, division);
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
        test_scalar(w, a, b, with_sign);
        return;
    }
    unsigned n = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef at = LLVMConstInt(w->i32, i, 0);
        test_scalar(w, LLVMBuildExtractElement(w->builder, a, at, ""),
                    LLVMBuildExtractElement(w->builder, b, at, ""), with_sign);
    }
}

// ---------------------------------------------------------------- memory

// Can it be read without a trap: is it a variable of this function or module, or of the hooks?
static bool is_there(LLVMValueRef pointer) {
    return LLVMIsAAllocaInst(pointer) ||
           (LLVMIsAGlobalVariable(pointer) && !LLVMIsDeclaration(pointer));
}

// The optimiser may load only parts of a vector, so vectors always become volatile.
void tsl_trap_load(tsl_weaver *w, LLVMValueRef load) {
    bool whole = LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMVectorTypeKind;
    if (!is_there(LLVMGetOperand(load, 0)) && (whole || !is_needed(w, load)))
        LLVMSetVolatile(load, 1);
}

// The optimiser drops stores to a constant, even if it finds out only later that it is one.
void tsl_trap_store(tsl_weaver *w, LLVMValueRef store) {
    LLVMValueRef p = LLVMGetOperand(store, 1);
    bool plain = LLVMGetOrdering(store) == LLVMAtomicOrderingNotAtomic;
    if (plain && !tsl_escape_is_private(w, p))
        LLVMSetVolatile(store, 1);
}

// Returns the same address in a form that the optimiser can't see through.
static LLVMValueRef hide(tsl_weaver *w, LLVMValueRef p) {
    static const char constraints[] = "=r,0";
    LLVMTypeRef type = LLVMFunctionType(w->ptr, &w->ptr, 1, 0);
    LLVMValueRef same = LLVMGetInlineAsm(type, "", 0, constraints, sizeof constraints - 1, 0, 0,
                                         LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(w->builder, type, same, &p, 1, "");
}

void tsl_trap_write(tsl_weaver *w, LLVMValueRef call) {
    LLVMValueRef dest = LLVMGetOperand(call, 0), base = tsl_escape_base(dest);
    if (!tsl_llvm_is_constant(base) || LLVMTypeOf(dest) != w->ptr)
        return;
    tsl_hook_before(w, call);
    LLVMSetOperand(call, 0, hide(w, dest));
}

void tsl_trap_copy(tsl_weaver *w, LLVMValueRef call, LLVMValueRef source, LLVMValueRef size) {
    if (!LLVMIsAConstantInt(size) || LLVMIsNull(size))
        return;
    tsl_hook_before(w, call);
    LLVMSetVolatile(LLVMBuildLoad2(w->builder, w->i8, source, ""), 1);
}
