// How is a term simplified before it is stored?  For the files of this room only.
//
// A rule looks at the operator and one or two levels of operands, and returns a term of the same
// value, or none.  It may also change `m` in place, for instance swap the operands.  Rules make at
// most a few nodes, so that building a term costs little more than storing it.
#ifndef TSL_EXPR_RULE_H
#define TSL_EXPR_RULE_H

#include "expr/pool.h"

typedef struct tsl_making {
    unsigned op, width, extra;
    tsl_term a, b, c;
} tsl_making;

tsl_term tsl_rule_apply(tsl_terms *p, tsl_making *m); // none: store `m` as it is now
tsl_term tsl_rule_lookup(tsl_terms *p, uint32_t table, tsl_term index);

// One function per family of operators.
tsl_term tsl_rule_arith(tsl_terms *p, tsl_making *m);   // ADD SUB MUL
tsl_term tsl_rule_divide(tsl_terms *p, tsl_making *m);  // UDIV SDIV UREM SREM
tsl_term tsl_rule_logic(tsl_terms *p, tsl_making *m);   // NOT AND OR XOR
tsl_term tsl_rule_bits(tsl_terms *p, tsl_making *m);    // shifts CONCAT EXTRACT ZEXT SEXT
tsl_term tsl_rule_equal(tsl_terms *p, tsl_making *m);   // EQ
tsl_term tsl_rule_compare(tsl_terms *p, tsl_making *m); // ULT ULE SLT SLE

// The OR (and sum) of both, if one has zeros wherever the other does not; else none.
tsl_term tsl_rule_merge(tsl_terms *p, tsl_term a, tsl_term b);

// ---------------------------------------------------------------- what rules are written with

#define NO_TERM ((tsl_term){0})

// Returns a copy, because adding nodes moves them.
static inline tsl_node node_of(const tsl_terms *p, tsl_term t) { return p->nodes.data[t.i]; }
static inline tsl_term term(uint32_t i) { return (tsl_term){i}; }
static inline bool same(tsl_term a, tsl_term b) { return a.i == b.i; }
static inline unsigned op_of(const tsl_terms *p, tsl_term t) { return p->nodes.data[t.i].op; }
static inline unsigned width_of(const tsl_terms *p, tsl_term t) { return p->nodes.data[t.i].width; }

static inline bool is_const(const tsl_terms *p, tsl_term t) {
    return op_of(p, t) == TSL_EXPR_CONST;
}

static inline tsl_wide wide_of(const tsl_terms *p, tsl_term t) {
    return tsl_wide_of(tsl_node_value(p, &p->nodes.data[t.i]));
}

static inline tsl_term constant(tsl_terms *p, unsigned width, tsl_wide w) {
    return tsl_term_const(p, width, tsl_value_of(w, width));
}

static inline tsl_term unary(tsl_terms *p, unsigned op, unsigned width, tsl_term a) {
    return tsl_term_make(p, (enum tsl_expr_op)op, width, 0, a, NO_TERM, NO_TERM);
}

static inline tsl_term binary(tsl_terms *p, unsigned op, tsl_term a, tsl_term b) {
    return tsl_term_binary(p, (enum tsl_expr_op)op, a, b);
}

// The operator with a constant on the right.
static inline tsl_term with(tsl_terms *p, unsigned op, tsl_term a, tsl_wide w) {
    return binary(p, op, a, constant(p, width_of(p, a), w));
}

static inline tsl_term negate(tsl_terms *p, tsl_term t) {
    return unary(p, TSL_EXPR_NOT, width_of(p, t), t);
}

static inline tsl_term widen(tsl_terms *p, unsigned op, unsigned width, tsl_term a) {
    return width == width_of(p, a) ? a : unary(p, op, width, a);
}

static inline tsl_term choice(tsl_terms *p, tsl_term cond, tsl_term a, tsl_term b) {
    return tsl_term_make(p, TSL_EXPR_ITE, width_of(p, a), 0, cond, a, b);
}

// The operand of a ZEXT, or none.
static inline tsl_term zext_of(const tsl_terms *p, tsl_term t) {
    const tsl_node *n = &p->nodes.data[t.i];
    return n->op == TSL_EXPR_ZEXT ? term(n->a) : NO_TERM;
}

static inline tsl_term sext_of(const tsl_terms *p, tsl_term t) {
    const tsl_node *n = &p->nodes.data[t.i];
    return n->op == TSL_EXPR_SEXT ? term(n->a) : NO_TERM;
}

static inline bool is_power(tsl_wide w) { return w && (w & (w - 1)) == 0; }

// Orders the operands of a commutative operator: a constant to the right, others by number.
static inline void order(const tsl_terms *p, tsl_making *m) {
    bool swap = is_const(p, m->a) || (!is_const(p, m->b) && m->a.i > m->b.i);
    if (swap) {
        tsl_term t = m->a;
        m->a = m->b;
        m->b = t;
    }
}

#endif
