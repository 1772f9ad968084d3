// What depends on inputs in a model program, and on which?
//
// As in the runtime (src/rt/symbol): a label stands beside every register and every word, the
// number of an expression in the Trace's node area; equal expressions are one node, and each
// carries its value.  A condition with a label is a BRANCH event, a step that takes no turn,
// unless it was decided before.
//
// A machine is copied at every step of brute force, so the nodes come last in it.
#ifndef TSL_VM_SYMBOL_H
#define TSL_VM_SYMBOL_H

#include "trace/plan.h"
#include "vm/program.h"

enum { TSL_VM_NODES = 256 };

typedef struct tsl_vm_symbols {
    uint16_t regs[TSL_VM_THREADS][TSL_VM_REGS]; // labels of width 64, or 0
    uint16_t words[TSL_VM_WORDS];               //
    uint8_t asked[TSL_VM_THREADS];              // inputs, by each thread
    uint8_t follows, too_deep;
    uint8_t decided[TSL_VM_NODES]; // by label
    uint32_t branches, max_branches;
    uint32_t n; // nodes; number 0 is none
    tsl_expr nodes[TSL_VM_NODES];
} tsl_vm_symbols;

// Of width 64 if not said otherwise.  Operands that are labels may be 0: then the value is taken.
uint32_t tsl_vm_const(tsl_vm_symbols *s, unsigned width, uint64_t value);
uint32_t tsl_vm_unary(tsl_vm_symbols *s, unsigned op, unsigned width, unsigned extra, uint32_t a);
uint32_t tsl_vm_binary(tsl_vm_symbols *s, unsigned op, uint32_t la, uint64_t a, uint32_t lb,
                       uint64_t b);

// The low bits of the next input of the thread, number `index`; `value` is the whole byte.
uint32_t tsl_vm_input(tsl_vm_symbols *s, unsigned thread, unsigned index, uint8_t value);

// Bytes of a word, and a word with some bytes replaced.
uint32_t tsl_vm_cut_out(tsl_vm_symbols *s, uint32_t word, unsigned off, unsigned size);
uint32_t tsl_vm_put_in(tsl_vm_symbols *s, uint32_t lword, uint64_t word, unsigned off,
                       unsigned size, uint32_t lvalue, uint64_t value);

// Who decides, and where.
typedef struct tsl_vm_place {
    tsl_events *out;
    unsigned thread; // number
    uint32_t site;
} tsl_vm_place;

void tsl_vm_branch(tsl_vm_symbols *s, tsl_vm_place at, uint32_t label, bool taken, unsigned flags);
void tsl_vm_pin(tsl_vm_symbols *s, tsl_vm_place at, uint32_t label);

// What each expression is, whatever the inputs are and in whichever order nodes were made.
void tsl_vm_meanings(const tsl_vm_symbols *s, uint64_t *meanings);

#endif
