// Gives the ways out of an asm goto blocks of their own; see asmgoto.h.
#include "cc/asmgoto.h"

#include <llvm-c/DebugInfo.h>

#include "cc/asmstep.h"
#include "cc/hook.h"

// ---------------------------------------------------------------- blocks

// Makes the phi take from block `to`, once, the value that it took from block `from`.
static void move_incoming(tsl_weaver *w, LLVMValueRef phi, LLVMBasicBlockRef from,
                          LLVMBasicBlockRef to) {
    LLVMPositionBuilderBefore(w->builder, phi);
    LLVMValueRef moved = LLVMBuildPhi(w->builder, LLVMTypeOf(phi), "");
    bool done = false;
    for (unsigned i = 0, n = LLVMCountIncoming(phi); i < n; i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        if (block == from && done)
            continue;
        done |= block == from;
        block = block == from ? to : block;
        value = value == phi ? moved : value;
        LLVMAddIncoming(moved, &value, &block, 1);
    }
    LLVMReplaceAllUsesWith(phi, moved);
    LLVMInstructionEraseFromParent(phi);
}

static void split(tsl_weaver *w, LLVMValueRef call, unsigned which) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(call), to = LLVMGetSuccessor(call, which);
    LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(w->context, to, "");
    LLVMPositionBuilderAtEnd(w->builder, between);
    LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(call));
    LLVMBuildBr(w->builder, to);
    for (unsigned i = which, n = LLVMGetNumSuccessors(call); i < n; i++)
        if (LLVMGetSuccessor(call, i) == to)
            LLVMSetSuccessor(call, i, between);
    for (LLVMValueRef i = LLVMGetFirstInstruction(to), next; LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        move_incoming(w, i, from, between);
    }
}

// Is the block of this way out one that was made for an earlier label of the same asm?
static bool was_split(LLVMValueRef call, unsigned which) {
    for (unsigned i = 0; i < which; i++)
        if (LLVMGetSuccessor(call, i) == LLVMGetSuccessor(call, which))
            return true;
    return false;
}

void tsl_asmgoto_split(tsl_weaver *w) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(w->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (!last || LLVMGetInstructionOpcode(last) != LLVMCallBr)
            continue;
        for (unsigned i = 0, n = LLVMGetNumSuccessors(last); i < n; i++)
            if (!was_split(last, i))
                split(w, last, i);
    }
}

// ---------------------------------------------------------------- results

void tsl_asmgoto_compare(tsl_weaver *w, LLVMValueRef call, LLVMValueRef p, LLVMValueRef old) {
    tsl_vec_push(&w->gotos, (tsl_asm_goto){call, p, old});
}

void tsl_asmgoto_finish(tsl_weaver *w) {
    for (size_t g = 0; g < w->gotos.len; g++) {
        const tsl_asm_goto *at = &w->gotos.data[g];
        for (unsigned i = 0, n = LLVMGetNumSuccessors(at->call); i < n; i++) {
            if (was_split(at->call, i))
                continue;
            LLVMBasicBlockRef way = LLVMGetSuccessor(at->call, i);
            tsl_hook_before(w, LLVMGetFirstInstruction(way));
            tsl_asmstep_result(w, at->pointer, at->old);
        }
    }
    tsl_vec_clear(&w->gotos);
}
