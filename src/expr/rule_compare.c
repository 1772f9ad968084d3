// Rules of comparisons; see rule.h.
//
// A comparison with a constant becomes an EQ, or a ULT or SLT with the constant on the same side:
// so the same question is always the same term, and so is its negation.  An equality with a
// constant is peeled down to what it says about the variables.
#include "expr/rule.h"

static tsl_term truth(tsl_terms *p, bool b) { return tsl_term_bool(p, b); }

// ---------------------------------------------------------------- EQ with a constant

typedef struct equation {
    tsl_term a; // the equation is a = k
    tsl_wide k;
    unsigned width;
    tsl_term done; // the resulting term, once it is known
} equation;

static void peel_multiple(tsl_terms *p, equation *e, const tsl_node *n) {
    tsl_wide factor = wide_of(p, term(n->b));
    unsigned zeros = tsl_wide_low_zeros(factor);
    if (e->k & tsl_wide_ones(zeros)) {
        e->done = truth(p, false);
        return;
    }
    e->k = (e->k >> zeros) * tsl_wide_inverse(factor >> zeros);
    e->a = tsl_term_extract(p, term(n->a), 0, e->width - zeros);
}

static void peel_extension(tsl_terms *p, equation *e, const tsl_node *n) {
    unsigned width = width_of(p, term(n->a));
    tsl_wide low = e->k & tsl_wide_ones(width);
    tsl_wide back = n->op == TSL_EXPR_ZEXT
                        ? low
                        : (tsl_wide)tsl_wide_sign(low, width) & tsl_wide_ones(e->width);
    if (back != e->k)
        e->done = truth(p, false);
    e->a = term(n->a);
}

static void peel_concat(tsl_terms *p, equation *e, const tsl_node *n) {
    tsl_term high = with(p, TSL_EXPR_EQ, term(n->a), e->k >> width_of(p, term(n->b)));
    tsl_term low = with(p, TSL_EXPR_EQ, term(n->b), e->k);
    e->done = binary(p, TSL_EXPR_AND, high, low);
}

// If an arm is a constant, only the other arm, or the condition alone, is left.
static bool peel_choice(tsl_terms *p, equation *e, const tsl_node *n) {
    if (!is_const(p, term(n->b)) && !is_const(p, term(n->c)))
        return false;
    tsl_term k = constant(p, e->width, e->k);
    e->done = choice(p, term(n->a), binary(p, TSL_EXPR_EQ, term(n->b), k),
                     binary(p, TSL_EXPR_EQ, term(n->c), k));
    return true;
}

// An index beyond the table's end gives 0, so that for k = 0 many indexes are possible.
static bool peel_lookup(tsl_terms *p, equation *e, const tsl_node *n) {
    const tsl_table *t = &p->tables.data[n->b];
    unsigned found = 0, width = width_of(p, term(n->a));
    uint32_t at = 0;
    for (uint32_t i = 0; i < t->n && found < 2; i++)
        if (tsl_wide_of(tsl_table_at(t, i)) == e->k && i <= tsl_wide_ones(width)) {
            at = i;
            found++;
        }
    if (e->k == 0 || found > 1)
        return false;
    e->done = found ? with(p, TSL_EXPR_EQ, term(n->a), at) : truth(p, false);
    return true;
}

static bool peel_binary(tsl_terms *p, equation *e, const tsl_node *n) {
    tsl_wide right = is_const(p, term(n->b)) ? wide_of(p, term(n->b)) : 0;
    switch (n->op) {
    case TSL_EXPR_ADD:
        e->k -= right;
        break;
    case TSL_EXPR_XOR:
        e->k ^= right;
        break;
    case TSL_EXPR_MUL:
        if (right)
            peel_multiple(p, e, n);
        return right;
    case TSL_EXPR_AND:
        if (e->k & ~right)
            e->done = truth(p, false);
        return e->done.i;
    case TSL_EXPR_OR:
        if (right & ~e->k)
            e->done = truth(p, false);
        return e->done.i;
    case TSL_EXPR_UREM:
        if (right && e->k >= right)
            e->done = truth(p, false);
        return e->done.i;
    default:
        return false;
    }
    e->a = term(n->a);
    return true;
}

// If a difference is zero, its operands are equal; if an OR is zero, both are zero.
static bool peel_difference(tsl_terms *p, equation *e, const tsl_node *n) {
    if (e->k != 0)
        return false;
    if (n->op == TSL_EXPR_SUB || n->op == TSL_EXPR_XOR)
        e->done = binary(p, TSL_EXPR_EQ, term(n->a), term(n->b));
    else if (n->op == TSL_EXPR_OR)
        e->done = binary(p, TSL_EXPR_AND, with(p, TSL_EXPR_EQ, term(n->a), 0),
                         with(p, TSL_EXPR_EQ, term(n->b), 0));
    return e->done.i;
}

// Takes one step towards a variable; false if there is none.
static bool peel(tsl_terms *p, equation *e) {
    tsl_node n = node_of(p, e->a);
    switch (n.op) {
    case TSL_EXPR_NOT:
        e->a = term(n.a);
        e->k = ~e->k;
        return true;
    case TSL_EXPR_ZEXT:
    case TSL_EXPR_SEXT:
        peel_extension(p, e, &n);
        return true;
    case TSL_EXPR_CONCAT:
        peel_concat(p, e, &n);
        return true;
    case TSL_EXPR_ITE:
        return peel_choice(p, e, &n);
    case TSL_EXPR_LOOKUP:
        return peel_lookup(p, e, &n);
    case TSL_EXPR_SUB:
        if (!is_const(p, term(n.a)))
            return peel_difference(p, e, &n);
        e->a = term(n.b);
        e->k = wide_of(p, term(n.a)) - e->k;
        return true;
    default:
        if (tsl_expr_arity[n.op] != 2)
            return false;
        return is_const(p, term(n.b)) ? peel_binary(p, e, &n) : peel_difference(p, e, &n);
    }
}

static tsl_term equal_constant(tsl_terms *p, tsl_making *m) {
    equation e = {m->a, wide_of(p, m->b), width_of(p, m->a), NO_TERM};
    while (e.width > 1 && !e.done.i && !is_const(p, e.a) && peel(p, &e)) {
        e.width = width_of(p, e.a);
        e.k &= tsl_wide_ones(e.width);
    }
    if (e.done.i)
        return e.done;
    if (is_const(p, e.a))
        return truth(p, wide_of(p, e.a) == e.k);
    if (e.width == 1)
        return e.k ? e.a : negate(p, e.a);
    m->a = e.a;
    m->b = constant(p, e.width, e.k);
    return NO_TERM;
}

// ---------------------------------------------------------------- EQ of two terms

// x + y = x + z, x ^ y = x ^ z: *x and *y are the operands that are left without the shared one.
static bool cancel(const tsl_node *a, const tsl_node *b, uint32_t *x, uint32_t *y) {
    if (a->op != b->op || (a->op != TSL_EXPR_ADD && a->op != TSL_EXPR_XOR))
        return false;
    *x = a->a == b->a || a->a == b->b ? a->b : a->a;
    uint32_t shared = *x == a->b ? a->a : a->b;
    if (shared != b->a && shared != b->b)
        return false;
    *y = shared == b->a ? b->b : b->a;
    return true;
}

// a = a op x
static tsl_term absorb(tsl_terms *p, tsl_term a, const tsl_node *b) {
    if (b->op != TSL_EXPR_ADD && b->op != TSL_EXPR_XOR && b->op != TSL_EXPR_SUB)
        return NO_TERM;
    if (b->a == a.i)
        return with(p, TSL_EXPR_EQ, term(b->b), 0);
    if (b->b == a.i && b->op != TSL_EXPR_SUB)
        return with(p, TSL_EXPR_EQ, term(b->a), 0);
    return NO_TERM;
}

// Compares the operands of two extensions of one kind.
static tsl_term compare_inside(tsl_terms *p, unsigned op, const tsl_node *a, const tsl_node *b) {
    unsigned wa = width_of(p, term(a->a)), wb = width_of(p, term(b->a));
    unsigned width = wa > wb ? wa : wb;
    tsl_term x = widen(p, a->op, width, term(a->a));
    return binary(p, op, x, widen(p, a->op, width, term(b->a)));
}

static tsl_term equal_alike(tsl_terms *p, const tsl_node *a, const tsl_node *b) {
    if (a->op == TSL_EXPR_ZEXT || a->op == TSL_EXPR_SEXT)
        return compare_inside(p, TSL_EXPR_EQ, a, b);
    if (a->op == TSL_EXPR_CONCAT && width_of(p, term(a->a)) == width_of(p, term(b->a)))
        return binary(p, TSL_EXPR_AND, binary(p, TSL_EXPR_EQ, term(a->a), term(b->a)),
                      binary(p, TSL_EXPR_EQ, term(a->b), term(b->b)));
    if (a->op == TSL_EXPR_NOT)
        return binary(p, TSL_EXPR_EQ, term(a->a), term(b->a));
    return NO_TERM;
}

static tsl_term equal_bits(tsl_terms *p, const tsl_making *m) {
    tsl_node a = node_of(p, m->a), b = node_of(p, m->b);
    if (a.op == TSL_EXPR_NOT)
        return negate(p, binary(p, TSL_EXPR_EQ, term(a.a), m->b));
    if (b.op == TSL_EXPR_NOT)
        return negate(p, binary(p, TSL_EXPR_EQ, m->a, term(b.a)));
    return NO_TERM;
}

tsl_term tsl_rule_equal(tsl_terms *p, tsl_making *m) {
    if (same(m->a, m->b))
        return truth(p, true);
    order(p, m);
    if (is_const(p, m->b))
        return equal_constant(p, m);
    if (width_of(p, m->a) == 1)
        return equal_bits(p, m);
    tsl_node a = node_of(p, m->a), b = node_of(p, m->b);
    uint32_t x, y;
    if (cancel(&a, &b, &x, &y))
        return binary(p, TSL_EXPR_EQ, term(x), term(y));
    tsl_term out = absorb(p, m->a, &b);
    if (!out.i)
        out = absorb(p, m->b, &a);
    if (!out.i && a.op == b.op)
        out = equal_alike(p, &a, &b);
    return out;
}

// ---------------------------------------------------------------- ULT, SLT: the ends of the range

static bool is_signed(unsigned op) { return op == TSL_EXPR_SLT || op == TSL_EXPR_SLE; }

static tsl_wide least(unsigned op, unsigned width) {
    return is_signed(op) ? (tsl_wide)1 << (width - 1) : 0;
}

static tsl_wide most(unsigned op, unsigned width) {
    return is_signed(op) ? tsl_wide_ones(width - 1) : tsl_wide_ones(width);
}

static tsl_term compare_bits(tsl_terms *p, const tsl_making *m) {
    tsl_term a = is_signed(m->op) ? m->b : m->a, b = is_signed(m->op) ? m->a : m->b;
    bool strict = m->op == TSL_EXPR_ULT || m->op == TSL_EXPR_SLT;
    return binary(p, strict ? TSL_EXPR_AND : TSL_EXPR_OR, negate(p, a), b);
}

// x <= 7 is x < 8
static tsl_term at_most(tsl_terms *p, const tsl_making *m, unsigned width) {
    unsigned strict = m->op == TSL_EXPR_ULE ? TSL_EXPR_ULT : TSL_EXPR_SLT;
    if (is_const(p, m->b)) {
        tsl_wide k = wide_of(p, m->b);
        return k == most(m->op, width) ? truth(p, true)
                                       : binary(p, strict, m->a, constant(p, width, k + 1));
    }
    if (is_const(p, m->a)) {
        tsl_wide k = wide_of(p, m->a);
        return k == least(m->op, width) ? truth(p, true)
                                        : binary(p, strict, constant(p, width, k - 1), m->b);
    }
    return NO_TERM;
}

// A comparison that holds for no number, for one, or for all but one is a constant or an equality.
static tsl_term at_the_end(tsl_terms *p, const tsl_making *m, unsigned width) {
    tsl_wide low = least(m->op, width), high = most(m->op, width);
    bool right = is_const(p, m->b);
    tsl_term x = right ? m->a : m->b;
    tsl_wide k = wide_of(p, right ? m->b : m->a), ones = tsl_wide_ones(width);
    tsl_wide first = right ? low : high, last = right ? high : low;
    tsl_wide second = right ? low + 1 : high - 1;
    if (k == first)
        return truth(p, false);
    if (k == (second & ones))
        return with(p, TSL_EXPR_EQ, x, first);
    if (k == last)
        return negate(p, with(p, TSL_EXPR_EQ, x, last));
    return NO_TERM;
}

// ---------------------------------------------------------------- ULT, SLT: narrower

// An extension keeps the order, so its operand is compared instead.  If the extension can't have
// the constant as a value, the answer is known or depends only on the sign.
static tsl_term below_extension(tsl_terms *p, const tsl_making *m, tsl_term ext, tsl_wide k) {
    bool right = is_const(p, m->b), zero = op_of(p, ext) == TSL_EXPR_ZEXT;
    unsigned wide = width_of(p, ext);
    tsl_term x = term(node_of(p, ext).a);
    unsigned width = width_of(p, x);
    tsl_wide low = k & tsl_wide_ones(width);
    tsl_wide back = zero ? low : (tsl_wide)tsl_wide_sign(low, width) & tsl_wide_ones(wide);
    unsigned op = zero ? TSL_EXPR_ULT : m->op;
    if (back == k)
        return right ? with(p, op, x, k) : binary(p, op, constant(p, width, k), x);
    if (is_signed(m->op)) { // k lies above or below all values, according to its sign
        bool above = tsl_wide_sign(k, wide) >= 0;
        return truth(p, above == right);
    }
    if (zero)
        return truth(p, right);
    // Unsigned, k lies in the gap that SEXT leaves: negative numbers are above it, others below.
    tsl_term negative = with(p, TSL_EXPR_SLT, x, 0);
    return right ? negate(p, negative) : negative;
}

// If the low piece is a constant, or does not matter, only the high piece is compared.
static tsl_term below_concat(tsl_terms *p, const tsl_making *m, tsl_term cat, tsl_wide k) {
    bool right = is_const(p, m->b);
    tsl_node n = node_of(p, cat);
    unsigned cut = width_of(p, term(n.b)), width = width_of(p, term(n.a));
    tsl_wide low = k & tsl_wide_ones(cut), high = k >> cut;
    bool fixed = is_const(p, term(n.b));
    tsl_wide tail = fixed ? wide_of(p, term(n.b)) : 0;
    unsigned le = is_signed(m->op) ? TSL_EXPR_SLE : TSL_EXPR_ULE;
    if (right && (fixed || low == 0)) // x:tail < high:low
        return with(p, fixed && tail < low ? le : m->op, term(n.a), high);
    if (!right && (fixed || low == tsl_wide_ones(cut))) // high:low < x:tail
        return binary(p, fixed && low < tail ? le : m->op, constant(p, width, high), term(n.a));
    return NO_TERM;
}

static tsl_term compare_constant(tsl_terms *p, const tsl_making *m, unsigned width) {
    tsl_term out = at_the_end(p, m, width);
    if (out.i)
        return out;
    bool right = is_const(p, m->b);
    tsl_term x = right ? m->a : m->b;
    tsl_node n = node_of(p, x);
    tsl_wide k = wide_of(p, right ? m->b : m->a);
    if (n.op == TSL_EXPR_ZEXT || n.op == TSL_EXPR_SEXT)
        return below_extension(p, m, x, k);
    if (n.op == TSL_EXPR_CONCAT)
        return below_concat(p, m, x, k);
    if (n.op == TSL_EXPR_ITE && (is_const(p, term(n.b)) || is_const(p, term(n.c)))) {
        tsl_term b = term(n.b), c = term(n.c), kt = right ? m->b : m->a;
        return choice(p, term(n.a), right ? binary(p, m->op, b, kt) : binary(p, m->op, kt, b),
                      right ? binary(p, m->op, c, kt) : binary(p, m->op, kt, c));
    }
    return NO_TERM;
}

static tsl_term compare_alike(tsl_terms *p, const tsl_making *m) {
    tsl_node a = node_of(p, m->a), b = node_of(p, m->b);
    unsigned plain = m->op == TSL_EXPR_SLT   ? TSL_EXPR_ULT
                     : m->op == TSL_EXPR_SLE ? TSL_EXPR_ULE
                                             : m->op;
    if (a.op == TSL_EXPR_ZEXT || a.op == TSL_EXPR_SEXT)
        return compare_inside(p, a.op == TSL_EXPR_ZEXT ? plain : m->op, &a, &b);
    if (a.op == TSL_EXPR_CONCAT && a.a == b.a)
        return binary(p, plain, term(a.b), term(b.b));
    if (a.op == TSL_EXPR_CONCAT && a.b == b.b)
        return binary(p, m->op, term(a.a), term(b.a));
    return NO_TERM;
}

tsl_term tsl_rule_compare(tsl_terms *p, tsl_making *m) {
    bool strict = m->op == TSL_EXPR_ULT || m->op == TSL_EXPR_SLT;
    unsigned width = width_of(p, m->a);
    if (same(m->a, m->b))
        return truth(p, !strict);
    if (width == 1)
        return compare_bits(p, m);
    bool constant = is_const(p, m->a) || is_const(p, m->b);
    if (constant)
        return strict ? compare_constant(p, m, width) : at_most(p, m, width);
    return op_of(p, m->a) == op_of(p, m->b) ? compare_alike(p, m) : NO_TERM;
}
