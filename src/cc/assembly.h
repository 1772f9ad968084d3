// Which memory does inline assembly touch?
//
// Constraints say which operands lie in memory, how large they are and whether they are read or
// written; the template (asmtext.h) says more precisely what happens to them, and which memory is
// reached through a pointer in a register.  The result is one of
//
//     nothing    a compiler barrier, `pause`: no step
//     fence      only orders
//     accesses   these and no others, in one step if the processor does them in one
//     opaque     may touch any memory, and so depends on everything
#ifndef TSL_CC_ASSEMBLY_H
#define TSL_CC_ASSEMBLY_H

#include "cc/asmtext.h"
#include "cc/weave.h"

typedef struct tsl_asm_access {
    LLVMValueRef pointer; // or an integer that holds an address
    int64_t offset;       // in bytes
    LLVMValueRef bit;     // index of the bit, counted from the pointer on, or NULL
    uint64_t size;
    bool reads, writes;
    bool atomic;    // done in one step; a read-modify-write if it reads and writes
    unsigned order; // of an atomic access, in C11 numbering
    unsigned insts; // number of instructions that make this access
    bool operand;   // the constraints name the memory as an operand
} tsl_asm_access;

#define TSL_ASM_ACCESSES 8

typedef struct tsl_assembly {
    tsl_asm_access accesses[TSL_ASM_ACCESSES];
    unsigned naccesses;
    bool is_fence;
    unsigned order;   // of the fence
    bool is_opaque;   // may touch more than the accesses
    bool is_single;   // the template is one instruction
    bool is_several;  // more than one instruction touches memory
    bool repeats;     // the template has a loop
    bool gives_order; // the asm clobbers memory: it is meant to order other accesses
} tsl_assembly;

// The accesses of a call (or callbr) of inline assembly.
tsl_assembly tsl_assembly_of(tsl_weaver *w, LLVMValueRef call);

// The type of operand `i` of the call if it is a place in memory; NULL if it is a value.
LLVMTypeRef tsl_assembly_place(LLVMValueRef call, unsigned i);
// Does the asm write to operand `i`?
bool tsl_assembly_writes(LLVMValueRef call, unsigned i);
// May the asm keep the address of an operand in memory?
bool tsl_assembly_keeps(LLVMValueRef call);

#endif
