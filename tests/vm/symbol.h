// What depends on inputs in a model program, and on which?
//
// As in the runtime (src/rt/symbol), a label stands beside every register and every word.  It is
// the number of an expression in the Trace; equal expressions are stored once, and each carries its
// value.  A condition with a label becomes a BRANCH event, a step that takes no turn, unless its
// thread has decided the same condition before.
//
// A machine is copied at every step of brute force, so the expressions come last in it: only those
// in use are copied.
#ifndef TSL_VM_SYMBOL_H
#define TSL_VM_SYMBOL_H

#include "trace/plan.h"
#include "vm/program.h"

enum { TSL_VM_NODES = 256 };

// What one byte of memory holds: byte number `index` of the value with this label.
typedef struct tsl_vm_shadow {
    uint16_t label, index;
} tsl_vm_shadow;

typedef struct tsl_vm_symbols {
    uint16_t regs[TSL_VM_THREADS][TSL_VM_REGS]; // labels of width 64, or 0
    tsl_vm_shadow words[TSL_VM_WORDS][8];       //
    uint8_t asked[TSL_VM_THREADS];              // how many inputs each thread has asked for
    uint8_t follows, too_deep;
    uint8_t decided[TSL_VM_NODES]; // by label: a bit per thread
    uint32_t branches, max_branches;
    uint32_t n; // number of nodes; number 0 is none
    tsl_expr nodes[TSL_VM_NODES];
} tsl_vm_symbols;

// Results have width 64 unless something else is said.  If the label of an operand is 0, its value
// is used.
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

// The thread that decides, and where.
typedef struct tsl_vm_place {
    tsl_events *out;
    unsigned thread, number; // its index in the program, its number in events
    uint32_t site;
} tsl_vm_place;

// Does the condition have a label that this thread has not decided yet?
bool tsl_vm_is_open(const tsl_vm_symbols *s, tsl_vm_place at, uint32_t label);
void tsl_vm_branch(tsl_vm_symbols *s, tsl_vm_place at, uint32_t label, bool taken, unsigned flags);
void tsl_vm_pin(tsl_vm_symbols *s, tsl_vm_place at, uint32_t label);

// A hash of what each expression means, independent of the inputs and of the order of the nodes.
void tsl_vm_meanings(const tsl_vm_symbols *s, uint64_t *meanings);

#endif
