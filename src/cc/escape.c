// Finds local variables that no other function can reach; see escape.h.
#include "cc/escape.h"

#include <string.h>

#include "cc/assembly.h"

static bool computes_address(LLVMOpcode opcode) {
    return opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast;
}

LLVMValueRef tsl_escape_base(LLVMValueRef p) {
    for (;;) {
        LLVMOpcode opcode = LLVMIsAInstruction(p)    ? LLVMGetInstructionOpcode(p)
                            : LLVMIsAConstantExpr(p) ? LLVMGetConstOpcode(p)
                                                     : LLVMRet;
        if (!computes_address(opcode))
            return p;
        p = LLVMGetOperand(p, 0);
    }
}

// Intrinsics that touch memory only through the pointer, during the call, and do not keep it.
static bool harmless_intrinsic(LLVMValueRef callee) {
    static const char *const names[] = {
        "llvm.memcpy",     "llvm.memmove",  "llvm.memset",         "llvm.lifetime",
        "llvm.dbg",        "llvm.va_start", "llvm.va_end",         "llvm.va_copy",
        "llvm.objectsize", "llvm.assume",   "llvm.invariant.start"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (tsl_llvm_starts(callee, names[i]))
            return true;
    return false;
}

static bool call_keeps_private(LLVMValueRef call, LLVMValueRef v) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (tsl_llvm_is_intrinsic(callee))
        return harmless_intrinsic(callee);
    bool asm_ = LLVMIsAInlineAsm(callee);
    for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i < n; i++) {
        bool stays = asm_ ? tsl_assembly_place(call, i) && !tsl_assembly_keeps(call)
                          : tsl_llvm_operand_type(call, i, "byval") != NULL;
        if (LLVMGetOperand(call, i) == v && !stays)
            return false;
    }
    return callee != v;
}

static bool all_uses_private(LLVMValueRef v);

static bool use_private(LLVMValueRef user, LLVMValueRef v) {
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return true;
    case LLVMStore:
        return LLVMGetOperand(user, 0) != v;
    case LLVMAtomicRMW:
        return LLVMGetOperand(user, 1) != v;
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(user, 1) != v && LLVMGetOperand(user, 2) != v;
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind && all_uses_private(user);
    case LLVMCall:
        return call_keeps_private(user, v);
    default:
        return false;
    }
}

static bool all_uses_private(LLVMValueRef v) {
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use))
        if (!use_private(LLVMGetUser(use), v))
            return false;
    return true;
}

void tsl_escape_analyse(tsl_weaver *w) {
    tsl_set_clear(&w->local);
    for (unsigned i = 0, n = LLVMCountParams(w->function); i < n; i++) {
        LLVMValueRef arg = LLVMGetParam(w->function, i);
        if (tsl_llvm_param_type(w->function, i, "byval") && all_uses_private(arg))
            tsl_set_insert(&w->local, (uint64_t)(uintptr_t)arg);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && all_uses_private(i))
                tsl_set_insert(&w->local, (uint64_t)(uintptr_t)i);
}

// Is it the address of errno?  Every thread has its own.
static bool is_errno(LLVMValueRef base) {
    if (!LLVMIsACallInst(base))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(base);
    return LLVMIsAFunction(callee) && !strcmp(tsl_llvm_name(callee), "__errno_location");
}

bool tsl_escape_is_private(const tsl_weaver *w, LLVMValueRef p) {
    // Other address spaces are segments (fs, gs): their addresses mean nothing to the runtime.
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != 0)
        return true;
    LLVMValueRef base = tsl_escape_base(p);
    return tsl_set_has(&w->local, (uint64_t)(uintptr_t)base) || is_errno(base);
}
