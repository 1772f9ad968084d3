// What does a template of inline assembly say?
//
// A template is taken apart into its instructions, and each into a mnemonic and operands, in
// AT&T syntax (x86-64) or in ARM's (aarch64).  A table (asmtable.c) says what the instructions
// that are common in inline assembly do to an operand in memory.  All others have the class
// UNKNOWN: for them only the constraints say what they touch.
//
//     mnemonic   "lock xaddl" and "lock; xaddl" are one instruction with `locked` set
//     operands   $N is operand N of the asm; a register, a constant, or a place in memory
//     directive  not an instruction, unless it makes bytes of code
#ifndef TSL_CC_ASMTEXT_H
#define TSL_CC_ASMTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

enum tsl_asm_class {
    TSL_ASM_UNKNOWN,
    TSL_ASM_NONE,      // touches no memory of the program
    TSL_ASM_HINT,      // pauses, or does nothing
    TSL_ASM_FENCE,     // only orders other accesses; `order` says how
    TSL_ASM_MOVE,      // writes its last operand, reads the others
    TSL_ASM_READ,      // reads all its operands
    TSL_ASM_WRITE,     // writes its operand
    TSL_ASM_UPDATE,    // reads and writes its last operand, reads the others
    TSL_ASM_SWAP,      // reads and writes all its operands, in one step
    TSL_ASM_BIT,       // reads one bit of the last operand; the first operand is its index
    TSL_ASM_BITS,      // reads and writes one bit, otherwise like BIT
    TSL_ASM_LOAD,      // atomic load
    TSL_ASM_STORE,     // atomic store
    TSL_ASM_EXCLUSIVE, // load-exclusive or store-exclusive; the pair is one step
};

enum tsl_asm_place { TSL_ASM_VALUE, TSL_ASM_OPERAND, TSL_ASM_MEMORY, TSL_ASM_STACK, TSL_ASM_ODD };

typedef struct tsl_asm_operand {
    enum tsl_asm_place place; // VALUE: constant or register; OPERAND: $N; ODD: not understood
    int number;               // N of OPERAND, or of the base of MEMORY; -1: none
    int64_t offset;           // of MEMORY
    unsigned size;            // according to the register's name or a modifier; 0: unknown
    char modifier;            // letter that says how OPERAND is written; 0: none
    int constant;             // of MEMORY: the operand that is the offset; -1: none
    const char *symbol;       // of MEMORY: a variable of the program
    size_t symbol_length;
    const char *base; // of ODD: the register that holds the address, if it is named
    size_t base_length;
} tsl_asm_operand;

#define TSL_ASM_OPERANDS 4

typedef struct tsl_asm_inst {
    const char *name; // mnemonic, with its suffix
    size_t length;
    enum tsl_asm_class class_;
    bool locked;
    unsigned size;  // according to the mnemonic; 0: unknown
    unsigned order; // of LOAD, STORE and FENCE, in C11 numbering
    tsl_asm_operand operands[TSL_ASM_OPERANDS];
    unsigned noperands;
} tsl_asm_inst;

typedef struct tsl_asm_text {
    char *text; // the template without comments and alternatives; `\1` is an escaped dollar
    TSL_VEC(tsl_asm_inst) insts;
    bool repeats; // the template may jump back
    bool strings; // an instruction has a repeat prefix, so its operands do not say how far it goes
    bool intel;   // the template switches to Intel syntax
} tsl_asm_text;

tsl_asm_text tsl_asm_parse(const char *text, size_t length, bool arm);
void tsl_asm_drop(tsl_asm_text *t);

// Is the mnemonic exactly `name`?
bool tsl_asm_is(const tsl_asm_inst *inst, const char *name);

// Sets class, size and order by the mnemonic; UNKNOWN if it is not in the table.
void tsl_asm_look_up(tsl_asm_inst *inst, bool arm);

// The bytes that a letter stands for: the letters mean 1, 2, 4 and 8; 0: it is none of them.
unsigned tsl_asm_size(const char *letters, char letter);

#endif
