// Chooses the rules for an operator, and has those of ITE and LOOKUP; see rule.h.
#include "expr/rule.h"

// ---------------------------------------------------------------- ITE

// A choice between conditions, one of them constant, is an AND or OR.
static tsl_term choose_bit(tsl_terms *p, const tsl_making *m) {
    if (is_const(p, m->b))
        return wide_of(p, m->b) ? binary(p, TSL_EXPR_OR, m->a, m->c)
                                : binary(p, TSL_EXPR_AND, negate(p, m->a), m->c);
    if (is_const(p, m->c))
        return wide_of(p, m->c) ? binary(p, TSL_EXPR_OR, negate(p, m->a), m->b)
                                : binary(p, TSL_EXPR_AND, m->a, m->b);
    return NO_TERM;
}

static tsl_term choose_constant(tsl_terms *p, const tsl_making *m) {
    tsl_wide yes = wide_of(p, m->b), no = wide_of(p, m->c), ones = tsl_wide_ones(m->width);
    if (no == 0 && yes == 1)
        return unary(p, TSL_EXPR_ZEXT, m->width, m->a);
    if (no == 0 && yes == ones)
        return unary(p, TSL_EXPR_SEXT, m->width, m->a);
    if (yes == 0 && no == 1)
        return unary(p, TSL_EXPR_ZEXT, m->width, negate(p, m->a));
    if (yes == 0 && no == ones)
        return unary(p, TSL_EXPR_SEXT, m->width, negate(p, m->a));
    return NO_TERM;
}

// The arm in `width` bits, without its ZEXT, if that loses nothing.
static tsl_term narrow_arm(tsl_terms *p, tsl_term arm, unsigned width) {
    tsl_term inner = zext_of(p, arm);
    if (inner.i)
        return width_of(p, inner) == width ? inner : NO_TERM;
    if (is_const(p, arm) && tsl_value_fits(tsl_node_value(p, &p->nodes.data[arm.i]), width))
        return constant(p, width, wide_of(p, arm));
    return NO_TERM;
}

static tsl_term choose_narrow(tsl_terms *p, const tsl_making *m) {
    tsl_term inner = zext_of(p, m->b).i ? zext_of(p, m->b) : zext_of(p, m->c);
    if (!inner.i)
        return NO_TERM;
    unsigned width = width_of(p, inner);
    tsl_term b = narrow_arm(p, m->b, width), c = narrow_arm(p, m->c, width);
    if (!b.i || !c.i)
        return NO_TERM;
    return unary(p, TSL_EXPR_ZEXT, m->width, choice(p, m->a, b, c));
}

static tsl_term choose(tsl_terms *p, tsl_making *m) {
    if (is_const(p, m->a))
        return wide_of(p, m->a) ? m->b : m->c;
    if (same(m->b, m->c))
        return m->b;
    tsl_node a = node_of(p, m->a), b = node_of(p, m->b), c = node_of(p, m->c);
    if (a.op == TSL_EXPR_NOT)
        return choice(p, term(a.a), m->c, m->b);
    if (b.op == TSL_EXPR_ITE && b.a == m->a.i)
        return choice(p, m->a, term(b.b), m->c);
    if (c.op == TSL_EXPR_ITE && c.a == m->a.i)
        return choice(p, m->a, m->b, term(c.c));
    if (m->width == 1)
        return choose_bit(p, m);
    if (b.op == TSL_EXPR_CONST && c.op == TSL_EXPR_CONST)
        return choose_constant(p, m);
    return choose_narrow(p, m);
}

// ---------------------------------------------------------------- LOOKUP

tsl_term tsl_rule_lookup(tsl_terms *p, uint32_t table, tsl_term index) {
    const tsl_table *t = &p->tables.data[table];
    unsigned width = 8 * t->elem_bytes;
    if (is_const(p, index)) {
        tsl_wide i = wide_of(p, index);
        return tsl_term_const(p, width, tsl_table_at(t, i < t->n ? (uint32_t)i : t->n));
    }
    tsl_term inner = zext_of(p, index);
    if (inner.i)
        index = inner;
    return tsl_node_intern(p, TSL_EXPR_LOOKUP, width, t->elem_bytes, index.i, table, 0);
}

// ---------------------------------------------------------------- all

tsl_term tsl_rule_apply(tsl_terms *p, tsl_making *m) {
    switch (m->op) {
    case TSL_EXPR_ADD:
    case TSL_EXPR_SUB:
    case TSL_EXPR_MUL:
        return tsl_rule_arith(p, m);
    case TSL_EXPR_UDIV:
    case TSL_EXPR_SDIV:
    case TSL_EXPR_UREM:
    case TSL_EXPR_SREM:
        return tsl_rule_divide(p, m);
    case TSL_EXPR_NOT:
    case TSL_EXPR_AND:
    case TSL_EXPR_OR:
    case TSL_EXPR_XOR:
        return tsl_rule_logic(p, m);
    case TSL_EXPR_EQ:
        return tsl_rule_equal(p, m);
    case TSL_EXPR_ULT:
    case TSL_EXPR_ULE:
    case TSL_EXPR_SLT:
    case TSL_EXPR_SLE:
        return tsl_rule_compare(p, m);
    case TSL_EXPR_ITE:
        return choose(p, m);
    default:
        return tsl_rule_bits(p, m);
    }
}
