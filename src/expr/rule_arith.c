// Rules of sums, products and quotients; see rule.h.
//
// A sum has its constant outermost: ((x + y) + 7), so that constants meet.
#include "expr/rule.h"

static bool has_constant(const tsl_terms *p, const tsl_node *n, unsigned op) {
    return n->op == op && is_const(p, term(n->b));
}

// ---------------------------------------------------------------- ADD, SUB

static tsl_term add_constant(tsl_terms *p, const tsl_making *m) {
    tsl_wide k = wide_of(p, m->b);
    tsl_node a = node_of(p, m->a);
    if (k == 0)
        return m->a;
    if (has_constant(p, &a, TSL_EXPR_ADD))
        return with(p, TSL_EXPR_ADD, term(a.a), wide_of(p, term(a.b)) + k);
    if (a.op == TSL_EXPR_SUB && is_const(p, term(a.a)))
        return binary(p, TSL_EXPR_SUB, constant(p, m->width, wide_of(p, term(a.a)) + k), term(a.b));
    return NO_TERM;
}

static tsl_term add(tsl_terms *p, tsl_making *m) {
    order(p, m);
    if (is_const(p, m->b))
        return add_constant(p, m);
    tsl_node a = node_of(p, m->a), b = node_of(p, m->b);
    if (has_constant(p, &a, TSL_EXPR_ADD))
        return binary(p, TSL_EXPR_ADD, binary(p, TSL_EXPR_ADD, term(a.a), m->b), term(a.b));
    if (has_constant(p, &b, TSL_EXPR_ADD))
        return binary(p, TSL_EXPR_ADD, binary(p, TSL_EXPR_ADD, m->a, term(b.a)), term(b.b));
    if (a.op == TSL_EXPR_SUB && a.b == m->b.i)
        return term(a.a);
    if (b.op == TSL_EXPR_SUB && b.b == m->a.i)
        return term(b.a);
    if (same(m->a, m->b))
        return with(p, TSL_EXPR_MUL, m->a, 2);
    return tsl_rule_merge(p, m->a, m->b);
}

static tsl_term subtract_from_constant(tsl_terms *p, const tsl_making *m) {
    tsl_wide k = wide_of(p, m->a);
    tsl_node b = node_of(p, m->b);
    if (has_constant(p, &b, TSL_EXPR_ADD))
        return binary(p, TSL_EXPR_SUB, constant(p, m->width, k - wide_of(p, term(b.b))), term(b.a));
    if (b.op == TSL_EXPR_SUB && is_const(p, term(b.a)))
        return with(p, TSL_EXPR_ADD, term(b.b), k - wide_of(p, term(b.a)));
    if (k == 0 && b.op == TSL_EXPR_ZEXT && width_of(p, term(b.a)) == 1)
        return unary(p, TSL_EXPR_SEXT, m->width, term(b.a));
    return NO_TERM;
}

static tsl_term subtract(tsl_terms *p, const tsl_making *m) {
    if (same(m->a, m->b))
        return constant(p, m->width, 0);
    if (is_const(p, m->b))
        return with(p, TSL_EXPR_ADD, m->a, 0 - wide_of(p, m->b));
    if (is_const(p, m->a))
        return subtract_from_constant(p, m);
    tsl_node a = node_of(p, m->a), b = node_of(p, m->b);
    if (has_constant(p, &a, TSL_EXPR_ADD))
        return binary(p, TSL_EXPR_ADD, binary(p, TSL_EXPR_SUB, term(a.a), m->b), term(a.b));
    if (has_constant(p, &b, TSL_EXPR_ADD))
        return with(p, TSL_EXPR_ADD, binary(p, TSL_EXPR_SUB, m->a, term(b.a)),
                    0 - wide_of(p, term(b.b)));
    if (a.op == TSL_EXPR_ADD && a.a == m->b.i)
        return term(a.b);
    if (a.op == TSL_EXPR_ADD && a.b == m->b.i)
        return term(a.a);
    if (b.op == TSL_EXPR_SUB && b.a == m->a.i)
        return term(b.b);
    return NO_TERM;
}

// ---------------------------------------------------------------- MUL

static tsl_term multiply_constant(tsl_terms *p, const tsl_making *m) {
    tsl_wide k = wide_of(p, m->b);
    tsl_node a = node_of(p, m->a);
    if (k == 0)
        return m->b;
    if (k == 1)
        return m->a;
    if (is_power(k))
        return with(p, TSL_EXPR_SHL, m->a, tsl_wide_low_zeros(k));
    if (k == tsl_wide_ones(m->width))
        return binary(p, TSL_EXPR_SUB, constant(p, m->width, 0), m->a);
    if (has_constant(p, &a, TSL_EXPR_MUL))
        return with(p, TSL_EXPR_MUL, term(a.a), wide_of(p, term(a.b)) * k);
    return NO_TERM;
}

static tsl_term multiply_bit(tsl_terms *p, tsl_term bit, tsl_term x) {
    tsl_term inner = zext_of(p, bit);
    if (!inner.i || width_of(p, inner) != 1)
        return NO_TERM;
    return choice(p, inner, x, constant(p, width_of(p, x), 0));
}

static tsl_term multiply(tsl_terms *p, tsl_making *m) {
    order(p, m);
    tsl_term bit = multiply_bit(p, m->a, m->b);
    if (bit.i)
        return bit;
    if (is_const(p, m->b))
        return multiply_constant(p, m);
    return multiply_bit(p, m->b, m->a);
}

tsl_term tsl_rule_arith(tsl_terms *p, tsl_making *m) {
    return m->op == TSL_EXPR_ADD   ? add(p, m)
           : m->op == TSL_EXPR_SUB ? subtract(p, m)
                                   : multiply(p, m);
}

// ---------------------------------------------------------------- UDIV, UREM, SDIV, SREM

static tsl_term divide_unsigned(tsl_terms *p, const tsl_making *m, tsl_wide k) {
    bool rest = m->op == TSL_EXPR_UREM;
    if (k == 0)
        return rest ? m->a : constant(p, m->width, ~(tsl_wide)0);
    if (k == 1)
        return rest ? constant(p, m->width, 0) : m->a;
    if (is_power(k))
        return rest ? with(p, TSL_EXPR_AND, m->a, k - 1)
                    : with(p, TSL_EXPR_LSHR, m->a, tsl_wide_low_zeros(k));
    tsl_term inner = zext_of(p, m->a);
    if (!inner.i)
        return NO_TERM;
    if (k > tsl_wide_ones(width_of(p, inner)))
        return rest ? m->a : constant(p, m->width, 0);
    return unary(p, TSL_EXPR_ZEXT, m->width, with(p, m->op, inner, k));
}

// Unless the divisor is 0 or -1, the quotient fits into the width of the dividend.
static tsl_term divide_signed(tsl_terms *p, const tsl_making *m, tsl_wide k) {
    bool rest = m->op == TSL_EXPR_SREM;
    if (k == 0)
        return rest ? m->a : NO_TERM;
    if (k == 1)
        return rest ? constant(p, m->width, 0) : m->a;
    if (k == tsl_wide_ones(m->width))
        return rest ? constant(p, m->width, 0)
                    : binary(p, TSL_EXPR_SUB, constant(p, m->width, 0), m->a);
    tsl_term inner = sext_of(p, m->a);
    if (!inner.i)
        return NO_TERM;
    unsigned width = width_of(p, inner);
    if (tsl_wide_sign(k & tsl_wide_ones(width), width) != tsl_wide_sign(k, m->width))
        return NO_TERM;
    return unary(p, TSL_EXPR_SEXT, m->width, with(p, m->op, inner, k));
}

static bool is_never_negative(const tsl_terms *p, tsl_term t) {
    return op_of(p, t) == TSL_EXPR_ZEXT ||
           (is_const(p, t) && tsl_wide_sign(wide_of(p, t), width_of(p, t)) >= 0);
}

tsl_term tsl_rule_divide(tsl_terms *p, tsl_making *m) {
    bool is_signed = m->op == TSL_EXPR_SDIV || m->op == TSL_EXPR_SREM;
    if (is_signed && is_never_negative(p, m->a) && is_never_negative(p, m->b))
        return binary(p, m->op == TSL_EXPR_SDIV ? TSL_EXPR_UDIV : TSL_EXPR_UREM, m->a, m->b);
    if (is_const(p, m->b))
        return is_signed ? divide_signed(p, m, wide_of(p, m->b))
                         : divide_unsigned(p, m, wide_of(p, m->b));
    tsl_term x = zext_of(p, m->a), y = zext_of(p, m->b);
    if (m->op == TSL_EXPR_UREM && x.i && y.i && width_of(p, x) == width_of(p, y))
        return unary(p, TSL_EXPR_ZEXT, m->width, binary(p, TSL_EXPR_UREM, x, y));
    return NO_TERM;
}
