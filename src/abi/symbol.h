// Symbolic expressions as a run writes them down.
//
// A label is the number of a node in the node area of the Trace; 0 stands for a value that does not
// depend on inputs.  Operands stand before the node that uses them, equal nodes are one node, and
// each node carries the value it had in the run.  So a reader can check a node, and can replace any
// part of an expression by its value.
//
// Some nodes are followed by raw nodes, 32 bytes each, with the name of an input or the elements
// of a table.  Raw nodes have no operator: a reader skips them.
#ifndef TSL_ABI_SYMBOL_H
#define TSL_ABI_SYMBOL_H

#include <stdint.h>

enum tsl_expr_op {
#define TSL_EXPR(name, text, operands, doc) TSL_EXPR_##name,
#include "exprs.def"
#undef TSL_EXPR
    TSL_EXPR_COUNT
};

typedef struct tsl_expr {
    uint8_t op;    // enum tsl_expr_op
    uint8_t width; // in bits
    uint16_t extra;
    uint32_t a, b, c;
    uint64_t lo, hi; // the value in the run; bits beyond the width are 0
} tsl_expr;

_Static_assert(sizeof(tsl_expr) == 32, "two of them fill a cache line");

// What an input consists of: decides how it is cut into variables, and how it is printed.
enum tsl_input_kind {
    TSL_INPUT_BYTES,    // anything: one variable per byte
    TSL_INPUT_SIGNED,   // elements of `element` bytes each
    TSL_INPUT_UNSIGNED, //
    TSL_INPUT_BOOL,     // 0 or 1
    TSL_INPUT_TEXT,     // bytes that are mostly characters
    TSL_INPUT_KINDS
};

// An OBJECT node with names of its own.  An input is known by the thread that asked for it and by
// how many inputs that thread had asked for before, so it is the same under every schedule.
typedef struct tsl_expr_object {
    uint8_t op;      // TSL_EXPR_OBJECT
    uint8_t kind;    // enum tsl_input_kind
    uint16_t thread; //
    uint32_t index;  // of that thread, from 0
    uint32_t size;   // in bytes
    uint32_t raw;    // how many raw nodes follow, with its name, ended by 0
    uint32_t element;
    uint32_t site; // where it was asked for
    uint64_t addr; // where it was put
} tsl_expr_object;

_Static_assert(sizeof(tsl_expr_object) == sizeof(tsl_expr), "it is a node");

// The number of raw nodes that follow a node: they hold bytes (a name, a table).
static inline uint64_t tsl_expr_raw(const tsl_expr *node) {
    if (node->op == TSL_EXPR_LOOKUP)
        return ((uint64_t)node->b * node->extra + sizeof *node - 1) / sizeof *node;
    return node->op == TSL_EXPR_OBJECT ? ((const tsl_expr_object *)(const void *)node)->raw : 0;
}

#endif
