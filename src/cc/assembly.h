// Which memory does inline assembly touch?
//
// Constraints say which operands lie in memory, how large they are and whether they are read or
// written; the template (asmtext.h) says more exactly what happens to them, and of memory that is
// reached through a pointer in a register.  What comes out is one of
//
//     nothing    a compiler barrier, `pause`: no step
//     fence      only orders
//     accesses   these and no others, in one step if the processor makes one of them
//     opaque     may touch any memory, and so depends on everything
#ifndef TSL_CC_ASSEMBLY_H
#define TSL_CC_ASSEMBLY_H

#include "cc/asmtext.h"
#include "cc/weave.h"

typedef struct tsl_asm_access {
    LLVMValueRef pointer; // or a number that is one
    int64_t offset;       // in bytes
    LLVMValueRef bit;     // of instructions that count bits from the pointer on; or NULL
    uint64_t size;
    bool reads, writes;
    bool atomic;    // as one step; a read-modify-write if it does both
    unsigned order; // of an atomic one: C11 numbering
    unsigned insts; // how many instructions make it
    bool operand;   // constraints name it: the pointer is handed over as an operand in memory
} tsl_asm_access;

#define TSL_ASM_ACCESSES 8

typedef struct tsl_assembly {
    tsl_asm_access accesses[TSL_ASM_ACCESSES];
    unsigned naccesses;
    bool is_fence;
    unsigned order;   // of the fence
    bool is_opaque;   // may touch more than the accesses
    bool is_single;   // one instruction in all
    bool is_several;  // more than one instruction touches memory
    bool repeats;     // it has a loop of its own
    bool gives_order; // a `memory` clobber: what it does is meant to order other accesses
} tsl_assembly;

// Of a call (or callbr) of inline assembly.
tsl_assembly tsl_assembly_of(tsl_weaver *w, LLVMValueRef call);

// Is operand `i` of the call a place in memory, not a value?  Its type, or NULL.
LLVMTypeRef tsl_assembly_place(LLVMValueRef call, unsigned i);
// Does it write there?
bool tsl_assembly_writes(LLVMValueRef call, unsigned i);
// May the address of an operand in memory be kept?
bool tsl_assembly_keeps(LLVMValueRef call);

#endif
