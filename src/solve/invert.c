// Proposes values of variables that give a term a value; see invert.h.
#include "solve/invert.h"

#include "base/deadline.h"
#include "solve/link.h"

void tsl_inverter_drop(tsl_inverter *in) { tsl_vec_drop(&in->todo); }

void tsl_inverter_begin(tsl_inverter *in) { in->len = in->at = 0; }

void tsl_inverter_restart(tsl_inverter *in) { in->at = 0; }

bool tsl_inverter_next(tsl_inverter *in) {
    while (in->len > 0) {
        if (++in->choices[in->len - 1].taken < in->choices[in->len - 1].of)
            return true;
        in->len--;
    }
    return false;
}

// ---------------------------------------------------------------- one walk

typedef struct walk {
    tsl_inverter *in;
    tsl_query *q;
    const tsl_terms *terms;
} walk;

// A number in 0..n-1; always 0 if too many choices were made already.
static unsigned choose(const walk *w, unsigned n) {
    tsl_inverter *in = w->in;
    if (n < 2 || in->at == TSL_INVERT_CHOICES)
        return 0;
    if (in->at == in->len) {
        in->choices[in->len].taken = 0;
        in->choices[in->len].of = (uint8_t)n;
        in->len++;
    }
    return in->choices[in->at++].taken;
}

static bool wish(const walk *w, tsl_term t, tsl_wide v) {
    tsl_vec_push(&w->in->todo, (tsl_wish){t, tsl_value_of(v, tsl_term_width(w->terms, t))});
    return true;
}

static tsl_wide now(const walk *w, tsl_term t) { return tsl_wide_of(tsl_query_value(w->q, t)); }

static bool is_fixed(const walk *w, tsl_term t) { return tsl_term_is_const(w->terms, t); }

// ---------------------------------------------------------------- comparisons

typedef struct option {
    tsl_term t;
    tsl_wide v;
} option;

typedef struct options {
    option data[12];
    unsigned len;
} options;

static void offer(const walk *w, options *o, tsl_term t, tsl_wide v, bool possible) {
    if (possible && !is_fixed(w, t))
        o->data[o->len++] = (option){t, v};
}

static bool take(const walk *w, const options *o) {
    if (o->len == 0)
        return false;
    const option *x = &o->data[choose(w, o->len)];
    return wish(w, x->t, x->v);
}

static bool want_equal(const walk *w, tsl_term a, tsl_term b) {
    options o = {.len = 0};
    offer(w, &o, a, now(w, b), true);
    offer(w, &o, b, now(w, a), true);
    return take(w, &o);
}

static bool want_different(const walk *w, tsl_term a, tsl_term b) {
    options o = {.len = 0};
    tsl_wide ones = tsl_wide_ones(tsl_query_width(w->q, a));
    for (unsigned k = 0; k < 2; k++) {
        tsl_term x = k ? b : a;
        tsl_wide other = now(w, k ? a : b);
        offer(w, &o, x, other + 1, true);
        offer(w, &o, x, other - 1, true);
        offer(w, &o, x, other ? 0 : 1, true);
        offer(w, &o, x, other == ones ? ones - 1 : ones, true);
    }
    return take(w, &o);
}

// a < b, or a <= b.  Flipping the sign bit turns the signed order into the unsigned one.
static bool want_less(const walk *w, tsl_term a, tsl_term b, bool strict, bool is_signed) {
    unsigned width = tsl_query_width(w->q, a);
    tsl_wide flip = is_signed ? (tsl_wide)1 << (width - 1) : 0, most = tsl_wide_ones(width);
    tsl_wide x = now(w, a) ^ flip, y = now(w, b) ^ flip;
    options o = {.len = 0};
    offer(w, &o, a, (strict ? y - 1 : y) ^ flip, !strict || y > 0);
    offer(w, &o, b, (strict ? x + 1 : x) ^ flip, !strict || x < most);
    offer(w, &o, a, flip, !strict || y > 0);
    offer(w, &o, b, most ^ flip, !strict || x < most);
    offer(w, &o, a, (y / 2) ^ flip, y > 1);
    offer(w, &o, b, (x + (most - x) / 2) ^ flip, x + 1 < most);
    offer(w, &o, a, 0, !is_signed || y > flip);
    offer(w, &o, b, 0, is_signed && x < flip);
    return take(w, &o);
}

static bool want_comparison(const walk *w, enum tsl_expr_op op, tsl_term a, tsl_term b, bool yes) {
    switch (op) {
    case TSL_EXPR_EQ:
        return yes ? want_equal(w, a, b) : want_different(w, a, b);
    case TSL_EXPR_ULT:
        return yes ? want_less(w, a, b, true, false) : want_less(w, b, a, false, false);
    case TSL_EXPR_ULE:
        return yes ? want_less(w, a, b, false, false) : want_less(w, b, a, true, false);
    case TSL_EXPR_SLT:
        return yes ? want_less(w, a, b, true, true) : want_less(w, b, a, false, true);
    default:
        return yes ? want_less(w, a, b, false, true) : want_less(w, b, a, true, true);
    }
}

// ---------------------------------------------------------------- arithmetic

// x * k = v.  High bits of x that do not matter are kept.
static bool want_factor(const walk *w, tsl_term x, tsl_wide k, tsl_wide v) {
    if (k == 0)
        return false;
    unsigned width = tsl_query_width(w->q, x), zeros = tsl_wide_low_zeros(k);
    if (v & tsl_wide_ones(zeros))
        return false;
    tsl_wide low = tsl_wide_ones(width - zeros);
    tsl_wide value = ((v >> zeros) * tsl_wide_inverse(k >> zeros)) & low;
    if (zeros == 0)
        return wish(w, x, value);
    tsl_wide rest = now(w, x) & ~low;
    return wish(w, x, choose(w, rest ? 2 : 1) ? value : value | rest);
}

static bool want_quotient(const walk *w, tsl_term a, tsl_term b, tsl_wide v, unsigned width) {
    tsl_wide x = now(w, a), k = now(w, b);
    if (!is_fixed(w, b) && (is_fixed(w, a) || choose(w, 2)))
        return v != 0 && wish(w, b, x / v);
    if (k == 0 || v > tsl_wide_ones(width) / k)
        return false;
    return wish(w, a, v * k + (choose(w, 2) ? 0 : x % k));
}

static bool want_rest(const walk *w, tsl_term a, tsl_term b, tsl_wide v) {
    tsl_wide x = now(w, a), k = now(w, b);
    if (!is_fixed(w, b) && (is_fixed(w, a) || choose(w, 2)))
        return x > v && wish(w, b, x - v);
    if (v >= k)
        return false;
    // The nearest, the least, neighbours in case those are excluded, and one far away.
    tsl_wide base = x - x % k, far = tsl_wide_ones(tsl_query_width(w->q, a)) / k / 2 * k;
    const tsl_wide values[] = {base + v, v, base + k + v, base - k + v, base + 2 * k + v, far + v};
    return wish(w, a, values[choose(w, sizeof values / sizeof *values)]);
}

// The proposal is right only for small numbers; callers check proposals anyway.
static bool want_signed_division(const walk *w, enum tsl_expr_op op, tsl_term a, tsl_term b,
                                 tsl_wide v, unsigned width) {
    tsl_wide_signed x = tsl_wide_sign(now(w, a), width), k = tsl_wide_sign(now(w, b), width);
    if (is_fixed(w, a) || k == 0 || k == -1)
        return false;
    if (op == TSL_EXPR_SDIV)
        return wish(w, a, v * (tsl_wide)k + (choose(w, 2) ? 0 : (tsl_wide)(x % k)));
    return wish(w, a, choose(w, 2) ? v : (tsl_wide)(x - x % k) + v);
}

static bool want_binary(const walk *w, enum tsl_expr_op op, tsl_term a, tsl_term b, tsl_wide v) {
    bool right = is_fixed(w, a) || (!is_fixed(w, b) && choose(w, 2));
    tsl_term x = right ? b : a;
    tsl_wide k = now(w, right ? a : b), old = now(w, x);
    switch (op) {
    case TSL_EXPR_ADD:
        return wish(w, x, v - k);
    case TSL_EXPR_SUB:
        return wish(w, x, right ? k - v : v + k);
    case TSL_EXPR_XOR:
        return wish(w, x, v ^ k);
    case TSL_EXPR_MUL:
        return want_factor(w, x, k, v);
    case TSL_EXPR_AND: // bits that k masks out are kept
        return !(v & ~k) && wish(w, x, (old & ~k) | v);
    default: // OR
        return !(k & ~v) && wish(w, x, (old & k) | (v & ~k));
    }
}

static bool want_shift(const walk *w, enum tsl_expr_op op, tsl_term a, tsl_term b, tsl_wide v,
                       unsigned width) {
    tsl_wide x = now(w, a), s = now(w, b);
    if (!is_fixed(w, b) && (is_fixed(w, a) || choose(w, 2))) {
        for (unsigned k = 0; k <= width; k++) {
            tsl_apply y = {.op = op, .width = width, .a_width = width, .b_width = width};
            y.a = tsl_value_of(x, width);
            y.b = tsl_value_of(k, width);
            if (tsl_wide_of(tsl_value_apply(&y)) == v)
                return wish(w, b, k);
        }
        return false;
    }
    if (s >= width)
        return false;
    tsl_wide lost = tsl_wide_ones((unsigned)s);
    if (op == TSL_EXPR_SHL)
        return !(v & lost) &&
               wish(w, a, v >> (unsigned)s | (x & ~(tsl_wide_ones(width) >> (unsigned)s)));
    return wish(w, a, v << (unsigned)s | (x & lost));
}

// ---------------------------------------------------------------- pieces and choices

static bool want_extension(const walk *w, enum tsl_expr_op op, tsl_term a, tsl_wide v,
                           unsigned width) {
    unsigned inner = tsl_query_width(w->q, a);
    tsl_wide low = v & tsl_wide_ones(inner);
    tsl_wide back = op == TSL_EXPR_ZEXT ? low : (tsl_wide)tsl_wide_sign(low, inner);
    return (back & tsl_wide_ones(width)) == v && wish(w, a, low);
}

static bool want_choice(const walk *w, tsl_term t, tsl_wide v) {
    tsl_term cond = tsl_term_operand(w->terms, t, 0);
    bool is = now(w, cond) != 0;
    tsl_term arm = tsl_term_operand(w->terms, t, is ? 1 : 2);
    tsl_term other = tsl_term_operand(w->terms, t, is ? 2 : 1);
    bool turn = is_fixed(w, arm) || now(w, other) == v;
    if (turn != (choose(w, is_fixed(w, arm) ? 1 : 2) == 1)) {
        wish(w, other, v);
        return wish(w, cond, !is);
    }
    return wish(w, arm, v);
}

static bool want_element(const walk *w, tsl_term t, tsl_wide v) {
    enum { MOST = 8 };
    tsl_term index = tsl_term_operand(w->terms, t, 0);
    uint32_t found[MOST];
    unsigned n = 0;
    for (uint32_t i = 0; i < tsl_term_table_len(w->terms, t) && n < MOST; i++)
        if (tsl_wide_of(tsl_term_table_at(w->terms, t, i)) == v)
            found[n++] = i;
    return n && wish(w, index, found[choose(w, n)]);
}

// Wants both conditions, or one of them, to have a value.
static bool want_logic(const walk *w, enum tsl_expr_op op, tsl_term a, tsl_term b, bool yes) {
    if (yes == (op == TSL_EXPR_AND)) {
        wish(w, a, yes);
        return wish(w, b, yes);
    }
    return wish(w, choose(w, 2) ? b : a, yes);
}

static bool want_operator(const walk *w, tsl_term t, tsl_wide v) {
    enum tsl_expr_op op = tsl_term_op(w->terms, t);
    unsigned width = tsl_query_width(w->q, t);
    tsl_term a = tsl_term_operand(w->terms, t, 0), b = tsl_term_operand(w->terms, t, 1);
    switch (op) {
    case TSL_EXPR_NOT:
        return wish(w, a, ~v);
    case TSL_EXPR_AND:
    case TSL_EXPR_OR:
        return width == 1 ? want_logic(w, op, a, b, v) : want_binary(w, op, a, b, v);
    case TSL_EXPR_ADD:
    case TSL_EXPR_SUB:
    case TSL_EXPR_MUL:
    case TSL_EXPR_XOR:
        return want_binary(w, op, a, b, v);
    case TSL_EXPR_UDIV:
        return want_quotient(w, a, b, v, width);
    case TSL_EXPR_UREM:
        return want_rest(w, a, b, v);
    case TSL_EXPR_SDIV:
    case TSL_EXPR_SREM:
        return want_signed_division(w, op, a, b, v, width);
    case TSL_EXPR_SHL:
    case TSL_EXPR_LSHR:
    case TSL_EXPR_ASHR:
        return want_shift(w, op, a, b, v, width);
    case TSL_EXPR_CONCAT:
        wish(w, b, v);
        return wish(w, a, v >> tsl_query_width(w->q, b));
    case TSL_EXPR_EXTRACT: {
        unsigned from = tsl_term_extra(w->terms, t);
        return wish(w, a, (now(w, a) & ~(tsl_wide_ones(width) << from)) | v << from);
    }
    case TSL_EXPR_ZEXT:
    case TSL_EXPR_SEXT:
        return want_extension(w, op, a, v, width);
    case TSL_EXPR_ITE:
        return want_choice(w, t, v);
    case TSL_EXPR_LOOKUP:
        return want_element(w, t, v);
    default:
        return want_comparison(w, op, a, b, v != 0);
    }
}

bool tsl_inverter_propose(tsl_inverter *in, tsl_query *q, tsl_term t, tsl_value v) {
    enum { MOST_STEPS = 2000 };
    walk w = {in, q, q->terms};
    tsl_vec_clear(&in->todo);
    tsl_vec_push(&in->todo, (tsl_wish){t, v});
    for (unsigned step = 0; in->todo.len; step++) {
        tsl_deadline_ask();
        tsl_wish x = tsl_vec_pop(&in->todo);
        if (step == MOST_STEPS)
            return false;
        if (tsl_value_equal(tsl_query_value(q, x.t), x.v))
            continue; // nothing to do; if another wish changes it, the check will find that
        if (is_fixed(&w, x.t))
            return false;
        if (tsl_term_op(q->terms, x.t) == TSL_EXPR_INPUT)
            tsl_query_set(q, tsl_term_variable(q->terms, x.t), x.v);
        else if (!want_operator(&w, x.t, tsl_wide_of(x.v)))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- the link

static void drop(void *self) { tsl_inverter_drop(self); }

// Proposes for all conditions of the goal, with one sequence of choices.
static bool propose_goal(tsl_inverter *in, tsl_query *q) {
    tsl_inverter_restart(in);
    for (size_t i = q->held; i < q->conds.len; i++)
        if (!tsl_inverter_propose(in, q, q->conds.data[i], (tsl_value){1, 0}))
            return false;
    return true;
}

static enum tsl_sat solve(void *self, tsl_query *q) {
    enum { MOST_TRIES = 24, MOST_WORK = 50000 };
    tsl_inverter *in = self;
    uint64_t limit = q->ev.work + MOST_WORK;
    tsl_inverter_begin(in);
    for (unsigned tries = 0; tries < MOST_TRIES && q->ev.work < limit; tries++) {
        tsl_query_refresh(q);
        if (propose_goal(in, q) && tsl_query_holds(q))
            return TSL_SAT;
        tsl_query_undo(q, 0);
        if (!tsl_inverter_next(in))
            break;
    }
    return TSL_UNKNOWN;
}

const tsl_link tsl_link_invert = {.size = sizeof(tsl_inverter), .drop = drop, .solve = solve};
