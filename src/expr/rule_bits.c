// Rules of shifts, and of cutting words up and putting them together; see rule.h.
//
// A word that is stored byte by byte and loaded again must become the word itself: the shadow of
// memory does this all the time, and decoders do it with shifts and ors.  Shifts by constants
// become EXTRACT, CONCAT and ZEXT, so both ways end as the same term.  CONCAT nests to the right:
// the high piece, then the rest.
#include "expr/rule.h"

static tsl_term concat(tsl_terms *p, tsl_term high, tsl_term low) {
    return binary(p, TSL_EXPR_CONCAT, high, low);
}

// ---------------------------------------------------------------- CONCAT

// Bit number `at` of a term.
typedef struct bit {
    tsl_term of;
    unsigned at;
} bit;

static bit top_bit(const tsl_terms *p, tsl_term t) {
    tsl_node n = node_of(p, t);
    while (n.op == TSL_EXPR_SEXT) {
        t = term(n.a);
        n = node_of(p, t);
    }
    if (n.op == TSL_EXPR_EXTRACT)
        return (bit){term(n.a), n.extra + n.width - 1u};
    return (bit){t, n.width - 1u};
}

// Does `high` consist only of copies of the top bit of `low`?
static bool repeats_sign(const tsl_terms *p, tsl_term high, tsl_term low) {
    tsl_term inner = sext_of(p, high).i ? sext_of(p, high) : high;
    if (width_of(p, inner) != 1)
        return false;
    bit h = top_bit(p, inner), l = top_bit(p, low);
    return same(h.of, l.of) && h.at == l.at;
}

// Joins two neighbours into one piece, if that is possible.
static tsl_term join(tsl_terms *p, tsl_term high, tsl_term low) {
    tsl_node h = node_of(p, high), l = node_of(p, low);
    unsigned width = (unsigned)h.width + l.width;
    if (h.op == TSL_EXPR_CONST && l.op == TSL_EXPR_CONST)
        return constant(p, width, wide_of(p, high) << l.width | wide_of(p, low));
    if (h.op == TSL_EXPR_EXTRACT && l.op == TSL_EXPR_EXTRACT && h.a == l.a &&
        h.extra == l.extra + l.width)
        return tsl_term_extract(p, term(h.a), l.extra, width);
    if (repeats_sign(p, high, low))
        return unary(p, TSL_EXPR_SEXT, width, low);
    return NO_TERM;
}

static tsl_term rule_concat(tsl_terms *p, const tsl_making *m) {
    tsl_node h = node_of(p, m->a), l = node_of(p, m->b);
    if (h.op == TSL_EXPR_CONCAT)
        return concat(p, term(h.a), concat(p, term(h.b), m->b));
    if (h.op == TSL_EXPR_CONST && wide_of(p, m->a) == 0)
        return unary(p, TSL_EXPR_ZEXT, m->width, m->b);
    if (h.op == TSL_EXPR_ZEXT)
        return unary(p, TSL_EXPR_ZEXT, m->width, concat(p, term(h.a), m->b));
    if (h.op == TSL_EXPR_CONST && l.op == TSL_EXPR_ZEXT) {
        unsigned zeros = l.width - width_of(p, term(l.a));
        return concat(p, constant(p, h.width + zeros, wide_of(p, m->a) << zeros), term(l.a));
    }
    tsl_term joined = join(p, m->a, m->b);
    if (joined.i)
        return joined;
    if (l.op == TSL_EXPR_CONCAT) {
        joined = join(p, m->a, term(l.a));
        if (joined.i)
            return concat(p, joined, term(l.b));
    }
    if (h.op == TSL_EXPR_SEXT)
        return unary(p, TSL_EXPR_SEXT, m->width, concat(p, term(h.a), m->b));
    return NO_TERM;
}

// ---------------------------------------------------------------- EXTRACT

static tsl_term extract_concat(tsl_terms *p, const tsl_making *m, const tsl_node *a) {
    tsl_term high = term(a->a), low = term(a->b);
    unsigned cut = width_of(p, low), end = m->extra + m->width;
    if (end <= cut)
        return tsl_term_extract(p, low, m->extra, m->width);
    if (m->extra >= cut)
        return tsl_term_extract(p, high, m->extra - cut, m->width);
    return concat(p, tsl_term_extract(p, high, 0, end - cut),
                  tsl_term_extract(p, low, m->extra, cut - m->extra));
}

static tsl_term extract_extended(tsl_terms *p, const tsl_making *m, const tsl_node *a) {
    tsl_term inner = term(a->a);
    unsigned width = width_of(p, inner);
    if (m->extra + m->width <= width)
        return tsl_term_extract(p, inner, m->extra, m->width);
    if (m->extra < width)
        return unary(p, a->op, m->width, tsl_term_extract(p, inner, m->extra, width - m->extra));
    if (a->op == TSL_EXPR_ZEXT)
        return constant(p, m->width, 0);
    return widen(p, TSL_EXPR_SEXT, m->width, tsl_term_extract(p, inner, width - 1, 1));
}

// Is a piece of `t` something simpler than an EXTRACT of t?
static bool gets_simpler(const tsl_terms *p, tsl_term t, unsigned from, unsigned levels) {
    tsl_node n = node_of(p, t);
    switch (n.op) {
    case TSL_EXPR_CONST:
    case TSL_EXPR_ZEXT:
    case TSL_EXPR_SEXT:
    case TSL_EXPR_CONCAT:
        return true;
    case TSL_EXPR_ADD:
    case TSL_EXPR_SUB:
    case TSL_EXPR_MUL:
        if (from)
            return false;
        break;
    case TSL_EXPR_NOT:
    case TSL_EXPR_AND:
    case TSL_EXPR_OR:
    case TSL_EXPR_XOR:
        break;
    default:
        return false;
    }
    return levels > 0 && gets_simpler(p, term(n.a), from, levels - 1) &&
           (!n.b || gets_simpler(p, term(n.b), from, levels - 1));
}

// C computes with bytes as int and cuts the result off; this moves the cut to the operands.
static tsl_term extract_inside(tsl_terms *p, const tsl_making *m, const tsl_node *a) {
    if (!gets_simpler(p, m->a, m->extra, 3))
        return NO_TERM;
    tsl_term x = tsl_term_extract(p, term(a->a), m->extra, m->width);
    if (a->op == TSL_EXPR_NOT)
        return negate(p, x);
    return binary(p, a->op, x, tsl_term_extract(p, term(a->b), m->extra, m->width));
}

static bool has_constant_arms(const tsl_terms *p, const tsl_node *n) {
    return n->op == TSL_EXPR_ITE && is_const(p, term(n->b)) && is_const(p, term(n->c));
}

static tsl_term rule_extract(tsl_terms *p, const tsl_making *m) {
    tsl_node a = node_of(p, m->a);
    if (m->width == a.width)
        return m->a;
    switch (a.op) {
    case TSL_EXPR_EXTRACT:
        return tsl_term_extract(p, term(a.a), a.extra + m->extra, m->width);
    case TSL_EXPR_CONCAT:
        return extract_concat(p, m, &a);
    case TSL_EXPR_ZEXT:
    case TSL_EXPR_SEXT:
        return extract_extended(p, m, &a);
    case TSL_EXPR_ITE:
        if (!has_constant_arms(p, &a))
            return NO_TERM;
        return choice(p, term(a.a), tsl_term_extract(p, term(a.b), m->extra, m->width),
                      tsl_term_extract(p, term(a.c), m->extra, m->width));
    case TSL_EXPR_LOOKUP:
    case TSL_EXPR_INPUT:
        return NO_TERM;
    default:
        return extract_inside(p, m, &a);
    }
}

// ---------------------------------------------------------------- ZEXT, SEXT

static tsl_term rule_extend(tsl_terms *p, const tsl_making *m) {
    tsl_node a = node_of(p, m->a);
    if (a.op == TSL_EXPR_ZEXT || a.op == m->op)
        return unary(p, a.op, m->width, term(a.a));
    if (has_constant_arms(p, &a))
        return choice(p, term(a.a), unary(p, m->op, m->width, term(a.b)),
                      unary(p, m->op, m->width, term(a.c)));
    return NO_TERM;
}

// ---------------------------------------------------------------- shifts

static tsl_term rule_shift(tsl_terms *p, const tsl_making *m) {
    if (is_const(p, m->a) && wide_of(p, m->a) == 0)
        return m->a;
    if (!is_const(p, m->b))
        return NO_TERM;
    tsl_wide k = wide_of(p, m->b);
    if (k == 0)
        return m->a;
    if (k >= m->width && m->op != TSL_EXPR_ASHR)
        return constant(p, m->width, 0);
    unsigned by = k < m->width ? (unsigned)k : m->width - 1, rest = m->width - by;
    if (by == 0) // one bit, shifted by its own sign
        return m->a;
    if (m->op == TSL_EXPR_SHL)
        return concat(p, tsl_term_extract(p, m->a, 0, rest), constant(p, by, 0));
    return unary(p, m->op == TSL_EXPR_LSHR ? TSL_EXPR_ZEXT : TSL_EXPR_SEXT, m->width,
                 tsl_term_extract(p, m->a, by, rest));
}

tsl_term tsl_rule_bits(tsl_terms *p, tsl_making *m) {
    switch (m->op) {
    case TSL_EXPR_CONCAT:
        return rule_concat(p, m);
    case TSL_EXPR_EXTRACT:
        return rule_extract(p, m);
    case TSL_EXPR_ZEXT:
    case TSL_EXPR_SEXT:
        return rule_extend(p, m);
    default:
        return rule_shift(p, m);
    }
}

// ---------------------------------------------------------------- merging

typedef struct piece {
    tsl_term t; // none: all bits are zero
    unsigned at, width;
} piece;

typedef struct pieces {
    piece data[TSL_MOST_BITS + 1];
    unsigned len, end;
    bool has_zeros;
} pieces;

static void add_piece(pieces *list, tsl_term t, unsigned width) {
    list->data[list->len++] = (piece){t, list->end, width};
    list->end += width;
    list->has_zeros |= !t.i;
}

// Adds the pieces of a term to the list, from the low end up.
static void cut_up(const tsl_terms *p, pieces *list, tsl_term t) {
    tsl_node n = node_of(p, t);
    if (n.op == TSL_EXPR_CONCAT) {
        cut_up(p, list, term(n.b));
        cut_up(p, list, term(n.a));
    } else if (n.op == TSL_EXPR_ZEXT) {
        unsigned width = width_of(p, term(n.a));
        cut_up(p, list, term(n.a));
        add_piece(list, NO_TERM, n.width - width);
    } else if (n.op == TSL_EXPR_CONST && wide_of(p, t) == 0)
        add_piece(list, NO_TERM, n.width);
    else
        add_piece(list, t, n.width);
}

static tsl_term cut_out(tsl_terms *p, const piece *from, unsigned at, unsigned width) {
    return from->t.i ? tsl_term_extract(p, from->t, at - from->at, width) : constant(p, width, 0);
}

static bool are_disjoint(const pieces *x, const pieces *y) {
    for (unsigned i = 0, k = 0; i < x->len && k < y->len;) {
        const piece *a = &x->data[i], *b = &y->data[k];
        if (a->t.i && b->t.i)
            return false;
        unsigned a_end = a->at + a->width, b_end = b->at + b->width;
        i += a_end <= b_end;
        k += b_end <= a_end;
    }
    return true;
}

tsl_term tsl_rule_merge(tsl_terms *p, tsl_term a, tsl_term b) {
    unsigned op_a = op_of(p, a), op_b = op_of(p, b);
    bool may = op_a == TSL_EXPR_CONCAT || op_a == TSL_EXPR_ZEXT;
    if (!may || (op_b != TSL_EXPR_CONCAT && op_b != TSL_EXPR_ZEXT))
        return NO_TERM;
    pieces x, y;
    x.len = x.end = y.len = y.end = 0;
    x.has_zeros = y.has_zeros = false;
    cut_up(p, &x, a);
    cut_up(p, &y, b);
    if (!x.has_zeros || !y.has_zeros || !are_disjoint(&x, &y))
        return NO_TERM;
    tsl_term out = NO_TERM;
    for (unsigned i = 0, k = 0, at = 0; i < x.len && k < y.len;) {
        const piece *l = &x.data[i], *r = &y.data[k];
        unsigned l_end = l->at + l->width, r_end = r->at + r->width;
        unsigned end = l_end < r_end ? l_end : r_end;
        tsl_term t = cut_out(p, l->t.i ? l : r, at, end - at);
        out = out.i ? concat(p, t, out) : t;
        at = end;
        i += l_end == end;
        k += r_end == end;
    }
    return out;
}
