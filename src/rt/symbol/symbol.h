// What the files of this folder offer each other and the rest of the runtime.
//
//     nodes.c     expressions, each stored once
//     shadow.c    labels of memory
//     compute.c   labels of what instructions compute
//     branch.c    input branches: branches, switches, addresses, checks
//     call.c      labels of arguments and results
//     escape.c    inputs that escape to code that does not follow them
//     input.c     where inputs come from
//     outside.c   inputs that a program reads without asking for them
//
// A run writes its expressions into the node area of its Trace.  Everything else lives in the area
// of layout.h and is reset, cheaply, when the next run begins.
#ifndef TSLRT_SYMBOL_SYMBOL_H
#define TSLRT_SYMBOL_SYMBOL_H

#include <stddef.h>

#include "abi/hooks.h"

typedef unsigned __int128 wide;

#define TSLRT_MAX_LINES 65536u
#define TSLRT_INDEX_SIZE (1u << 19) // the largest size
#define TSLRT_FIRST_INDEX (1u << 10)
#define TSLRT_LINE_INDEX_SIZE (1u << 17)
#define TSLRT_MAX_NODES (1u << 18) // half of the index
#define TSLRT_DECIDED_SIZE (1u << 18)

// Labels of 64 bytes: each is byte number `index` of the value with that label.
typedef struct label_line {
    uint64_t key; // address >> 6
    uint32_t label[64];
    uint8_t index[64];
} label_line;

typedef struct lookup_entry {
    uint32_t run, index, label;
    const void *table;
} lookup_entry;

typedef struct symbol_state {
    tsl_expr *nodes; // of the current Trace; NULL if inputs are not followed in this run
    uint32_t n, max;
    uint32_t indexed;    // nodes in the index
    uint32_t index_size; // a power of two; grows, so that short runs touch little memory
    uint32_t run;        // entries of the other tables are valid if they carry this number
    uint32_t index_run;  // entries of the index are valid if they carry this number
    uint32_t nlines;
    uint32_t branches, max_branches;
    uint32_t ndecided;
    bool full;
    // If the next load is at `lookup_at`, it has this label of a table look-up (branch.c).
    const void *lookup_at;
    uint32_t lookup_label;
    // Structs that are being passed by value, and labels of variadic arguments.
    const void *byval[TSL_SYM_ARGS];
    uint32_t variadic[TSL_SYM_ARGS];
    lookup_entry lookups[256];
} symbol_state;

#define SYM ((symbol_state *)(TSL_SYMBOL_ADDR + 0x100000ul))
#define TSLRT_INDEX ((uint64_t *)(TSL_SYMBOL_ADDR + 0x200000ul))
#define TSLRT_LINE_INDEX ((uint64_t *)(TSL_SYMBOL_ADDR + 0x600000ul))
#define TSLRT_DECIDED ((uint64_t *)(TSL_SYMBOL_ADDR + 0xa00000ul)) // see branch.c
#define TSLRT_GROWING ((uint32_t *)(TSL_SYMBOL_ADDR + 0x800000ul)) // labels while the index grows
#define TSLRT_LINES ((label_line *)(TSL_SYMBOL_ADDR + 0x1000000ul))

_Static_assert(TSLRT_MAX_LINES * sizeof(label_line) <= TSL_SYMBOL_SIZE - 0x1000000ul, "they fit");

static inline wide wide_of(uint64_t low, uint64_t high) { return (wide)high << 64 | low; }
static inline wide wide_mask(unsigned width) {
    return width >= 128 ? ~(wide)0 : ((wide)1 << width) - 1;
}
static inline bool node_any(void) { return SYM->nodes && SYM->n > 1; }
static inline const tsl_expr *node_at(uint32_t label) { return &SYM->nodes[label]; }
static inline wide value_of(uint32_t label) {
    return wide_of(SYM->nodes[label].lo, SYM->nodes[label].hi);
}

// ---------------------------------------------------------------- nodes.c

// Computes the value from the operands.  Returns 0 if the table is full.
uint32_t node_make(unsigned op, unsigned width, unsigned extra, uint32_t a, uint32_t b, uint32_t c);
// An operator with one operand, or with two; a comparison; a condition; bits from `at` on.
static inline uint32_t node_one(unsigned op, unsigned width, uint32_t a) {
    return node_make(op, width, 0, a, 0, 0);
}
static inline uint32_t node_two(unsigned op, unsigned width, uint32_t a, uint32_t b) {
    return node_make(op, width, 0, a, b, 0);
}
static inline uint32_t node_test(unsigned op, uint32_t a, uint32_t b) {
    return node_make(op, 1, 0, a, b, 0);
}
static inline uint32_t node_if(unsigned width, uint32_t condition, uint32_t a, uint32_t b) {
    return node_make(TSL_EXPR_ITE, width, 0, condition, a, b);
}
static inline uint32_t node_cut(unsigned width, unsigned at, uint32_t a) {
    return node_make(TSL_EXPR_EXTRACT, width, at, a, 0, 0);
}
uint32_t node_const(unsigned width, wide value);
// The label, or the label of the constant if the former is 0.
uint32_t node_or_const(uint32_t label, unsigned width, wide value);
uint32_t node_not(uint32_t label); // of a node of width 1
// Room for n nodes in a row, or 0.
uint32_t node_room(uint32_t n);
// Element number `index` of a table of n elements; the value of `index` is less than n.
uint32_t node_lookup(uint32_t index, const void *table, uint32_t n, unsigned element);
uint32_t node_input(uint32_t object, uint32_t offset, unsigned width, wide value);

// ---------------------------------------------------------------- shadow.c

void shadow_set(uintptr_t p, uint64_t size, uint32_t label); // of width 8 * size
void shadow_clear(uintptr_t p, uint64_t size);
bool shadow_has(uintptr_t p, uint64_t size);
// The label of the value that was loaded from p; 0 if none of its bytes depends on inputs.
uint32_t shadow_load(uintptr_t p, unsigned size, wide value);

// ---------------------------------------------------------------- branch.c

// Would a branch on this condition be recorded?
bool branch_is_open(uint32_t label);
// `flags` are of enum tsl_branch_res.
void branch_on(uint32_t label, bool taken, unsigned flags, uint32_t site);
// The value is pinned: the path is followed only for inputs that give the same value.
void branch_pin(uint32_t label, uint32_t site);
void symbol_lost(enum tsl_lost why, uint32_t site);

// ---------------------------------------------------------------- call.c

// Where va_arg will find integer number i of those that it has not returned yet.
uintptr_t variadic_place(const void *list, unsigned i);

// ---------------------------------------------------------------- input.c

typedef struct input_spec {
    const char *name;
    uint32_t size, element; // in bytes
    uint8_t kind;           // enum tsl_input_kind
    uint16_t thread;        // that asks for it
    uint32_t index;         // within the inputs of the thread
    uint32_t site;
} input_spec;

void input_fill(const input_spec *in, char *to);
// Makes an object for the input and a node for each element.  Returns the object, or 0.  `p` holds
// the values; if `home` is not 0, the memory there gets their labels.  `last` gets the last label.
uint32_t input_label(const input_spec *in, const char *p, uintptr_t home, uint32_t *last);

// ---------------------------------------------------------------- outside.c

// The first values for an input, which apply unless a Plan says otherwise: how many, and where.
size_t outside_first(const input_spec *in, const void **bytes);

#endif
