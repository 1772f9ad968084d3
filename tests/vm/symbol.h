// What depends on inputs in a model program, and on which?
//
// As in the runtime (src/rt/symbol): a label stands beside every register and every word, the
// number of an expression in the Trace's node area; equal expressions are one node, and each
// carries its value.  A condition with a label is a BRANCH event, a step that takes no turn,
// unless its thread has decided it before.
//
// A machine is copied at every step of brute force, so the nodes come last in it.
#ifndef TSL_VM_SYMBOL_H
#define TSL_VM_SYMBOL_H

#include "trace/plan.h"
#include "vm/program.h"

enum { TSL_VM_NODES = 256 };

// Of one byte of memory: byte number `index` of the value with that label.
typedef struct tsl_vm_shadow {
    uint16_t label, index;
} tsl_vm_shadow;

typedef struct tsl_vm_symbols {
    uint16_t regs[TSL_VM_THREADS][TSL_VM_REGS]; // labels of width 64, or 0
    tsl_vm_shadow words[TSL_VM_WORDS][8];       //
    uint8_t asked[TSL_VM_THREADS];              // inputs, by each thread
    uint8_t follows, too_deep;
    uint8_t decided[TSL_VM_NODES]; // by label: a bit per thread
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

// A load of `value` from so many bytes, and a store there; all labels are of width 64.
uint32_t tsl_vm_shadow_load(tsl_vm_symbols *s, const tsl_vm_shadow *at, unsigned size,
                            uint64_t value);
void tsl_vm_shadow_store(tsl_vm_shadow *at, unsigned size, uint32_t label);

// Who decides, and where.
typedef struct tsl_vm_place {
    tsl_events *out;
    unsigned thread, number; // the latter in events
    uint32_t site;
} tsl_vm_place;

// Has it a label that this thread has not decided yet?
bool tsl_vm_is_open(const tsl_vm_symbols *s, tsl_vm_place at, uint32_t label);
void tsl_vm_branch(tsl_vm_symbols *s, tsl_vm_place at, uint32_t label, bool taken, unsigned flags);
void tsl_vm_pin(tsl_vm_symbols *s, tsl_vm_place at, uint32_t label);

// What each expression is, whatever the inputs are and in whichever order nodes were made.
void tsl_vm_meanings(const tsl_vm_symbols *s, uint64_t *meanings);

#endif
