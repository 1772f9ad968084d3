// Rules of NOT, AND, OR and XOR, of words and of conditions; see rule.h.
//
// The negation of < or <= is one of them, so a NOT that remains is of an =, AND, OR, or a word.
#include "expr/rule.h"

// ---------------------------------------------------------------- NOT

static tsl_term rule_not(tsl_terms *p, const tsl_making *m) {
    tsl_node a = node_of(p, m->a);
    switch (a.op) {
    case TSL_EXPR_NOT:
        return term(a.a);
    case TSL_EXPR_ULT:
        return binary(p, TSL_EXPR_ULE, term(a.b), term(a.a));
    case TSL_EXPR_ULE:
        return binary(p, TSL_EXPR_ULT, term(a.b), term(a.a));
    case TSL_EXPR_SLT:
        return binary(p, TSL_EXPR_SLE, term(a.b), term(a.a));
    case TSL_EXPR_SLE:
        return binary(p, TSL_EXPR_SLT, term(a.b), term(a.a));
    case TSL_EXPR_SEXT:
        return unary(p, TSL_EXPR_SEXT, m->width, negate(p, term(a.a)));
    case TSL_EXPR_XOR:
        if (is_const(p, term(a.b)))
            return with(p, TSL_EXPR_XOR, term(a.a), ~wide_of(p, term(a.b)));
        return NO_TERM;
    default:
        return NO_TERM;
    }
}

// ---------------------------------------------------------------- with a constant

// The operators work bit by bit, so they can be applied to each piece.
static tsl_term in_pieces(tsl_terms *p, const tsl_making *m, tsl_wide k) {
    tsl_node a = node_of(p, m->a);
    if (a.op == TSL_EXPR_CONCAT) {
        unsigned cut = width_of(p, term(a.b));
        tsl_term high = with(p, m->op, term(a.a), k >> cut);
        return binary(p, TSL_EXPR_CONCAT, high, with(p, m->op, term(a.b), k));
    }
    if (a.op == TSL_EXPR_ZEXT) {
        unsigned cut = width_of(p, term(a.a));
        tsl_wide rest = m->op == TSL_EXPR_AND ? 0 : k >> cut;
        return binary(p, TSL_EXPR_CONCAT, constant(p, m->width - cut, rest),
                      with(p, m->op, term(a.a), k));
    }
    return NO_TERM;
}

// A mask that is one run of ones cuts out a piece.
static tsl_term cut_by_mask(tsl_terms *p, const tsl_making *m, tsl_wide k) {
    unsigned from = tsl_wide_low_zeros(k);
    tsl_wide run = k >> from;
    if (run & (run + 1))
        return NO_TERM;
    unsigned width = run == ~(tsl_wide)0 ? 128 : tsl_wide_low_zeros(run + 1);
    tsl_term out = tsl_term_extract(p, m->a, from, width);
    if (from)
        out = binary(p, TSL_EXPR_CONCAT, out, constant(p, from, 0));
    return widen(p, TSL_EXPR_ZEXT, m->width, out);
}

static tsl_wide both(unsigned op, tsl_wide x, tsl_wide y) {
    return op == TSL_EXPR_AND ? x & y : op == TSL_EXPR_OR ? x | y : x ^ y;
}

static tsl_term logic_constant(tsl_terms *p, const tsl_making *m) {
    tsl_wide k = wide_of(p, m->b), ones = tsl_wide_ones(m->width);
    tsl_node a = node_of(p, m->a);
    if (k == 0)
        return m->op == TSL_EXPR_AND ? m->b : m->a;
    if (k == ones)
        return m->op == TSL_EXPR_AND ? m->a : m->op == TSL_EXPR_OR ? m->b : negate(p, m->a);
    if (a.op == m->op && is_const(p, term(a.b)))
        return with(p, m->op, term(a.a), both(m->op, k, wide_of(p, term(a.b))));
    if (m->op == TSL_EXPR_XOR && a.op == TSL_EXPR_NOT)
        return with(p, TSL_EXPR_XOR, term(a.a), ~k);
    tsl_term out = in_pieces(p, m, k);
    if (!out.i && m->op == TSL_EXPR_AND)
        out = cut_by_mask(p, m, k);
    return out;
}

// ---------------------------------------------------------------- with another term

static bool is_negation(const tsl_terms *p, tsl_term a, tsl_term b) {
    tsl_node x = node_of(p, a), y = node_of(p, b);
    return (x.op == TSL_EXPR_NOT && x.a == b.i) || (y.op == TSL_EXPR_NOT && y.a == a.i);
}

static tsl_term xor_terms(tsl_terms *p, const tsl_making *m) {
    tsl_node a = node_of(p, m->a), b = node_of(p, m->b);
    if (m->width == 1)
        return negate(p, binary(p, TSL_EXPR_EQ, m->a, m->b));
    if (a.op == TSL_EXPR_NOT)
        return negate(p, binary(p, TSL_EXPR_XOR, term(a.a), m->b));
    if (b.op == TSL_EXPR_NOT)
        return negate(p, binary(p, TSL_EXPR_XOR, m->a, term(b.a)));
    if (a.op == TSL_EXPR_XOR && (a.a == m->b.i || a.b == m->b.i))
        return term(a.a == m->b.i ? a.b : a.a);
    if (b.op == TSL_EXPR_XOR && (b.a == m->a.i || b.b == m->a.i))
        return term(b.a == m->a.i ? b.b : b.a);
    return NO_TERM;
}

static tsl_term logic_terms(tsl_terms *p, const tsl_making *m) {
    bool is_and = m->op == TSL_EXPR_AND, is_xor = m->op == TSL_EXPR_XOR;
    if (same(m->a, m->b))
        return is_xor ? constant(p, m->width, 0) : m->a;
    if (is_negation(p, m->a, m->b))
        return constant(p, m->width, is_and ? 0 : ~(tsl_wide)0);
    tsl_term x = zext_of(p, m->a), y = zext_of(p, m->b);
    if (x.i && y.i && width_of(p, x) == width_of(p, y))
        return unary(p, TSL_EXPR_ZEXT, m->width, binary(p, m->op, x, y));
    x = sext_of(p, m->a);
    y = sext_of(p, m->b);
    if (x.i && y.i && width_of(p, x) == width_of(p, y))
        return unary(p, TSL_EXPR_SEXT, m->width, binary(p, m->op, x, y));
    tsl_term out = is_xor ? xor_terms(p, m) : NO_TERM;
    return out.i || is_and ? out : tsl_rule_merge(p, m->a, m->b);
}

tsl_term tsl_rule_logic(tsl_terms *p, tsl_making *m) {
    if (m->op == TSL_EXPR_NOT)
        return rule_not(p, m);
    order(p, m);
    return is_const(p, m->b) ? logic_constant(p, m) : logic_terms(p, m);
}
