// How terms are stored; for the files of this room only.
#ifndef TSL_EXPR_POOL_H
#define TSL_EXPR_POOL_H

#include "base/err.h"
#include "base/vec.h"
#include "expr/term.h"

// Operands stand before the node.  What is not an operand:
//     CONST   a, b are the low 64 bits, c the number of the high ones (0: they are 0)
//     INPUT   a is the number of the variable
//     LOOKUP  a is the index (a term), b the number of the table
typedef struct tsl_node {
    uint8_t op, width;
    uint16_t extra;
    uint32_t a, b, c;
    uint32_t vars; // number of its set of variables + 1; 0: not asked for yet
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
    TSL_VEC(tsl_node) nodes; // 0 is none
    uint32_t *index;         // open addressing, a power of two
    size_t index_size;
    TSL_VEC(uint64_t) highs; // of wide constants
    TSL_VEC(tsl_table) tables;
    TSL_VEC(uint32_t) var_terms; // term of each variable, 0: none yet
    unsigned depth;              // of rules that use rules

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

// The node as it is, without a rule.
tsl_term tsl_node_intern(tsl_terms *p, unsigned op, unsigned width, unsigned extra, uint32_t a,
                         uint32_t b, uint32_t c);

tsl_value tsl_table_at(const tsl_table *table, uint32_t i);

void tsl_varsets_drop(tsl_terms *p);

#endif
