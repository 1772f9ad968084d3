// How are terms stored?  For the files of this room only.
#ifndef TSL_EXPR_POOL_H
#define TSL_EXPR_POOL_H

#include "base/err.h"
#include "expr/term.h"

// Operands have smaller numbers than the node.  In these nodes a, b, c are not all operands:
//     CONST   a, b are the low 64 bits, c the number of the high ones (0: they are 0)
//     INPUT   a is the number of the variable
//     LOOKUP  a is the index (a term), b the number of the table
typedef struct tsl_node {
    uint8_t op, width;
    uint16_t extra;
    uint32_t a, b, c;
    uint32_t vars; // number of its set of variables + 1; 0: not computed yet
} tsl_node;

typedef struct tsl_table {
    uint32_t n, elem_bytes;
    uint64_t hash;
    uint8_t *bytes;
} tsl_table;

typedef struct tsl_varset_place {
    uint32_t at, n; // in set_vars
} tsl_varset_place;

struct tsl_terms {
    TSL_VEC(tsl_node) nodes; // node 0 is not used: 0 means no term
    uint32_t *index;         // hash table of nodes with open addressing
    size_t index_size;       // a power of two
    TSL_VEC(uint64_t) highs; // high 64 bits of wide constants
    TSL_VEC(tsl_table) tables;
    TSL_VEC(uint32_t) var_terms; // term of each variable, 0: none yet
    unsigned depth;              // nesting of rules that use rules

    // Sets of variables; see varset.c.
    TSL_VEC(uint32_t) set_vars;
    TSL_VEC(tsl_varset_place) sets;
    uint32_t *set_index;
    size_t set_index_size;
    TSL_VEC(uint32_t) seen, todo, gathered; // scratch
    uint32_t stamp;
};

static inline const tsl_node *tsl_node_of(const tsl_terms *p, tsl_term t) {
    TSL_BUG_ON(t.i == 0 || t.i >= p->nodes.len, "term %u of %zu", t.i, p->nodes.len);
    return &p->nodes.data[t.i];
}

static inline tsl_value tsl_node_value(const tsl_terms *p, const tsl_node *n) {
    return (tsl_value){(uint64_t)n->b << 32 | n->a, n->c ? p->highs.data[n->c] : 0};
}

extern const uint8_t tsl_expr_arity[TSL_EXPR_COUNT];

// The term of a node as it is: no rules are applied.
tsl_term tsl_node_intern(tsl_terms *p, unsigned op, unsigned width, unsigned extra, uint32_t a,
                         uint32_t b, uint32_t c);

tsl_value tsl_table_at(const tsl_table *table, uint32_t i);

void tsl_varsets_drop(tsl_terms *p);

#endif
