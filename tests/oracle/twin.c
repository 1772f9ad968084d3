// Random expressions and their meaning; see twin.h.
#include "oracle/twin.h"

#include <string.h>

#include "base/err.h"
#include "base/mem.h"

// ---------------------------------------------------------------- meaning, bit by bit

typedef struct bits {
    unsigned n;
    uint8_t b[2 * TSL_MOST_BITS]; // the low one first
} bits;

static bits zero_bits(unsigned n) {
    bits x;
    memset(&x, 0, sizeof x);
    x.n = n;
    return x;
}

static bits to_bits(tsl_value v, unsigned n) {
    bits x = zero_bits(n);
    for (unsigned i = 0; i < n; i++)
        x.b[i] = (uint8_t)((i < 64 ? v.lo >> i : v.hi >> (i - 64)) & 1);
    return x;
}

static tsl_value from_bits(const bits *x) {
    tsl_value v = {0};
    for (unsigned i = 0; i < x->n; i++) {
        if (i < 64)
            v.lo |= (uint64_t)x->b[i] << i;
        else
            v.hi |= (uint64_t)x->b[i] << (i - 64);
    }
    return v;
}

static bits add_bits(const bits *x, const bits *y, unsigned carry, bool invert) {
    bits r = zero_bits(x->n);
    for (unsigned i = 0; i < x->n; i++) {
        unsigned sum = x->b[i] + (unsigned)(invert ? !y->b[i] : y->b[i]) + carry;
        r.b[i] = sum & 1;
        carry = sum >> 1;
    }
    return r;
}

static bits negate_bits(const bits *x) {
    bits zero = zero_bits(x->n);
    return add_bits(&zero, x, 1, true);
}

static bool less_bits(const bits *x, const bits *y) {
    for (unsigned i = x->n; i-- > 0;)
        if (x->b[i] != y->b[i])
            return x->b[i] < y->b[i];
    return false;
}

static bool same_bits(const bits *x, const bits *y) { return memcmp(x->b, y->b, x->n) == 0; }
static bool sign_of(const bits *x) { return x->b[x->n - 1]; }

static bool less_signed(const bits *x, const bits *y) {
    return sign_of(x) != sign_of(y) ? sign_of(x) : less_bits(x, y);
}

static bits shift_left(const bits *x, unsigned by) {
    bits r = zero_bits(x->n);
    for (unsigned i = by; i < x->n; i++)
        r.b[i] = x->b[i - by];
    return r;
}

static bits multiply_bits(const bits *x, const bits *y) {
    bits r = zero_bits(x->n);
    for (unsigned i = 0; i < x->n; i++)
        if (y->b[i]) {
            bits part = shift_left(x, i);
            r = add_bits(&r, &part, 0, false);
        }
    return r;
}

// Long division; y is not 0.
static void divide_bits(const bits *x, const bits *y, bits *quotient, bits *rest) {
    unsigned n = x->n;
    bits r = zero_bits(n + 1), d = *y;
    d.n = n + 1;
    d.b[n] = 0;
    *quotient = zero_bits(n);
    for (unsigned i = n; i-- > 0;) {
        r = shift_left(&r, 1);
        r.b[0] = x->b[i];
        if (!less_bits(&r, &d)) {
            r = add_bits(&r, &d, 1, true);
            quotient->b[i] = 1;
        }
    }
    r.n = n;
    *rest = r;
}

static bool is_zero(const bits *x) {
    bits zero = zero_bits(x->n);
    return same_bits(x, &zero);
}

static bits divide(unsigned op, const bits *x, const bits *y) {
    bool is_signed = op == TSL_EXPR_SDIV || op == TSL_EXPR_SREM;
    bool want_rest = op == TSL_EXPR_UREM || op == TSL_EXPR_SREM;
    bits quotient, rest, one = zero_bits(x->n);
    one.b[0] = 1;
    if (is_zero(y)) {
        bits minus_one = negate_bits(&one);
        return want_rest ? *x : is_signed && sign_of(x) ? one : minus_one;
    }
    bits p = is_signed && sign_of(x) ? negate_bits(x) : *x;
    bits q = is_signed && sign_of(y) ? negate_bits(y) : *y;
    divide_bits(&p, &q, &quotient, &rest);
    if (want_rest)
        return is_signed && sign_of(x) ? negate_bits(&rest) : rest;
    return is_signed && sign_of(x) != sign_of(y) ? negate_bits(&quotient) : quotient;
}

// How far to shift: at most by the width.
static unsigned amount(const bits *y) {
    unsigned by = 0;
    for (unsigned i = 0; i < y->n; i++) {
        if (!y->b[i])
            continue;
        if (i >= 8)
            return y->n;
        by += 1u << i;
    }
    return by < y->n ? by : y->n;
}

static bits shift_right(const bits *x, unsigned by, uint8_t fill) {
    bits r = zero_bits(x->n);
    for (unsigned i = 0; i < x->n; i++)
        r.b[i] = i + by < x->n ? x->b[i + by] : fill;
    return r;
}

static bits truth_bits(bool b) {
    bits r = zero_bits(1);
    r.b[0] = b;
    return r;
}

static bits each_bit(unsigned op, const bits *x, const bits *y) {
    bits r = zero_bits(x->n);
    for (unsigned i = 0; i < x->n; i++)
        r.b[i] = op == TSL_EXPR_AND  ? x->b[i] && y->b[i]
                 : op == TSL_EXPR_OR ? x->b[i] || y->b[i]
                                     : x->b[i] != y->b[i];
    return r;
}

static bits look_up(const tsl_expr *node, const bits *x) {
    tsl_value index = from_bits(x), element = {0};
    if (!index.hi && index.lo < node->b)
        memcpy(&element, (const char *)(node + 1) + index.lo * node->extra, node->extra);
    return to_bits(element, node->width);
}

static bits apply(const tsl_expr *node, const bits *x, const bits *y, const bits *z) {
    bits r = zero_bits(node->width);
    switch (node->op) {
    case TSL_EXPR_NOT:
        for (unsigned i = 0; i < x->n; i++)
            r.b[i] = !x->b[i];
        return r;
    case TSL_EXPR_ADD:
        return add_bits(x, y, 0, false);
    case TSL_EXPR_SUB:
        return add_bits(x, y, 1, true);
    case TSL_EXPR_MUL:
        return multiply_bits(x, y);
    case TSL_EXPR_UDIV:
    case TSL_EXPR_SDIV:
    case TSL_EXPR_UREM:
    case TSL_EXPR_SREM:
        return divide(node->op, x, y);
    case TSL_EXPR_AND:
    case TSL_EXPR_OR:
    case TSL_EXPR_XOR:
        return each_bit(node->op, x, y);
    case TSL_EXPR_SHL:
        return shift_left(x, amount(y));
    case TSL_EXPR_LSHR:
        return shift_right(x, amount(y), 0);
    case TSL_EXPR_ASHR:
        return shift_right(x, amount(y), sign_of(x));
    case TSL_EXPR_EQ:
        return truth_bits(same_bits(x, y));
    case TSL_EXPR_ULT:
        return truth_bits(less_bits(x, y));
    case TSL_EXPR_ULE:
        return truth_bits(!less_bits(y, x));
    case TSL_EXPR_SLT:
        return truth_bits(less_signed(x, y));
    case TSL_EXPR_SLE:
        return truth_bits(!less_signed(y, x));
    case TSL_EXPR_CONCAT:
        memcpy(r.b, y->b, y->n);
        memcpy(r.b + y->n, x->b, x->n);
        return r;
    case TSL_EXPR_EXTRACT:
        memcpy(r.b, x->b + node->extra, node->width);
        return r;
    case TSL_EXPR_ZEXT:
    case TSL_EXPR_SEXT:
        for (unsigned i = 0; i < r.n; i++)
            r.b[i] = i < x->n ? x->b[i] : node->op == TSL_EXPR_SEXT && sign_of(x);
        return r;
    case TSL_EXPR_ITE:
        return x->b[0] ? *y : *z;
    default:
        return look_up(node, x);
    }
}

static bits eval(const tsl_twin *twin, uint32_t label, const tsl_value *model) {
    const tsl_expr *node = &twin->nodes.data[label];
    if (node->op == TSL_EXPR_CONST)
        return to_bits((tsl_value){node->lo, node->hi}, node->width);
    if (node->op == TSL_EXPR_INPUT)
        return to_bits(model[node->a], node->width);
    bits x = eval(twin, node->a, model), y = x, z = x;
    if (node->op != TSL_EXPR_LOOKUP && node->b)
        y = eval(twin, node->b, model);
    if (node->c)
        z = eval(twin, node->c, model);
    return apply(node, &x, &y, &z);
}

tsl_value tsl_twin_eval(const tsl_twin *twin, uint32_t label, const tsl_value *model) {
    bits x = eval(twin, label, model);
    return from_bits(&x);
}

// ---------------------------------------------------------------- generating

static unsigned below(tsl_rng *rng, unsigned n) { return (unsigned)tsl_rng_below(rng, n); }

tsl_value tsl_twin_number(tsl_rng *rng, unsigned width) {
    tsl_wide w = 0;
    switch (below(rng, 8)) {
    case 0:
        w = below(rng, 4);
        break;
    case 1:
        w = (tsl_wide)0 - 1 - below(rng, 3);
        break;
    case 2:
        w = (tsl_wide)1 << below(rng, width);
        break;
    case 3:
        w = ((tsl_wide)1 << below(rng, width)) - 1;
        break;
    case 4:
        w = ((tsl_wide)1 << (width - 1)) - below(rng, 2);
        break;
    case 5:
        w = below(rng, 256);
        break;
    default:
        w = (tsl_wide)tsl_rng_next(rng) << 64 | tsl_rng_next(rng);
    }
    return tsl_value_of(w, width);
}

static uint32_t add(tsl_twin *twin, tsl_expr node) {
    uint32_t label = (uint32_t)twin->nodes.len;
    tsl_vec_push(&twin->nodes, node);
    tsl_vec_push(&twin->labels, label);
    return label;
}

static uint32_t add_number(tsl_twin *twin, tsl_rng *rng, unsigned width) {
    tsl_value v = tsl_twin_number(rng, width);
    return add(twin,
               (tsl_expr){.op = TSL_EXPR_CONST, .width = (uint8_t)width, .lo = v.lo, .hi = v.hi});
}

static uint32_t any(const tsl_twin *twin, tsl_rng *rng) {
    // New labels are preferred, so that terms get deep.
    size_t n = twin->labels.len, back = below(rng, 3) ? (n < 6 ? n : 6) : n;
    return twin->labels.data[n - 1 - below(rng, (unsigned)back)];
}

static unsigned width_at(const tsl_twin *twin, uint32_t label) {
    return twin->nodes.data[label].width;
}

// Widens a value to at most 128 bits.
static uint32_t make_wider(tsl_twin *twin, tsl_rng *rng, uint32_t x, unsigned width) {
    unsigned old = width_at(twin, x), how = below(rng, 4);
    tsl_expr node = {
        .op = how == 0 ? TSL_EXPR_SEXT : TSL_EXPR_ZEXT, .width = (uint8_t)width, .a = x};
    if (how == 3) {
        uint32_t rest = tsl_twin_fit(twin, rng, width - old);
        bool high = below(rng, 2);
        node = (tsl_expr){.op = TSL_EXPR_CONCAT,
                          .width = (uint8_t)width,
                          .a = high ? x : rest,
                          .b = high ? rest : x};
    }
    return add(twin, node);
}

uint32_t tsl_twin_fit(tsl_twin *twin, tsl_rng *rng, unsigned width) {
    if (below(rng, 5) == 0)
        return add_number(twin, rng, width);
    uint32_t x = any(twin, rng);
    unsigned old = width_at(twin, x);
    if (old == width)
        return x;
    if (old < width)
        return make_wider(twin, rng, x, width);
    unsigned from = below(rng, 2) ? 0 : below(rng, old - width + 1);
    return add(twin, (tsl_expr){.op = TSL_EXPR_EXTRACT,
                                .width = (uint8_t)width,
                                .extra = (uint16_t)from,
                                .a = x});
}

static unsigned some_width(tsl_rng *rng, enum tsl_twin_kind kind) {
    static const unsigned usual[] = {8, 32, 32, 16, 64, 1};
    return kind == TSL_TWIN_TINY ? 1 + below(rng, 6)
           : kind == TSL_TWIN_C  ? usual[below(rng, 6)]
                                 : 1 + below(rng, TSL_MOST_BITS);
}

// A number next to the value that x has for the sample, where comparisons change their outcome.
static uint32_t add_near(tsl_twin *twin, tsl_rng *rng, uint32_t x) {
    unsigned width = width_at(twin, x);
    tsl_wide w = tsl_wide_of(tsl_twin_eval(twin, x, twin->sample));
    tsl_value v = tsl_value_of(w + below(rng, 3) - 1, width);
    return add(twin,
               (tsl_expr){.op = TSL_EXPR_CONST, .width = (uint8_t)width, .lo = v.lo, .hi = v.hi});
}

uint32_t tsl_twin_condition(tsl_twin *twin, tsl_rng *rng) {
    uint32_t x = any(twin, rng);
    if (width_at(twin, x) == 1 && below(rng, 2))
        return x;
    unsigned op = TSL_EXPR_EQ + below(rng, 5);
    uint32_t y =
        below(rng, 3) ? tsl_twin_fit(twin, rng, width_at(twin, x)) : add_near(twin, rng, x);
    bool swap = below(rng, 4) == 0;
    return add(twin,
               (tsl_expr){.op = (uint8_t)op, .width = 1, .a = swap ? y : x, .b = swap ? x : y});
}

static void add_lookup(tsl_twin *twin, tsl_rng *rng) {
    static const uint8_t sizes[] = {1, 1, 2, 4, 8, 16};
    uint32_t index = any(twin, rng), n = 1 + below(rng, 20);
    unsigned size = sizes[below(rng, 6)];
    if (size > 4 && below(rng, 2))
        size = 1;
    uint8_t table[20 * 16 + sizeof(tsl_expr)] = {0};
    for (size_t i = 0; i < (size_t)n * size; i++)
        table[i] = (uint8_t)(below(rng, 2) ? below(rng, 3) : tsl_rng_next(rng));
    add(twin, (tsl_expr){.op = TSL_EXPR_LOOKUP,
                         .width = (uint8_t)(8 * size),
                         .extra = (uint16_t)size,
                         .a = index,
                         .b = n});
    for (size_t at = 0; at < (size_t)n * size; at += sizeof(tsl_expr)) {
        tsl_expr raw;
        memcpy(&raw, table + at, sizeof raw);
        tsl_vec_push(&twin->nodes, raw);
    }
}

// Two pieces of one word, as it is stored and loaded.
static void add_pieces(tsl_twin *twin, tsl_rng *rng, uint32_t x) {
    unsigned width = width_at(twin, x), cut = width > 1 ? 1 + below(rng, width - 1) : 0;
    if (!cut)
        return;
    unsigned from = below(rng, 3) ? cut : below(rng, cut + 1);
    tsl_expr high = {
        .op = TSL_EXPR_EXTRACT, .width = (uint8_t)(width - cut), .extra = (uint16_t)from, .a = x};
    tsl_expr low = {.op = TSL_EXPR_EXTRACT, .width = (uint8_t)cut, .a = x};
    uint32_t h = add(twin, high), l = add(twin, low);
    add(twin, (tsl_expr){.op = TSL_EXPR_CONCAT, .width = (uint8_t)width, .a = h, .b = l});
}

// An operation with a constant: scaled, divided, shifted, masked.
static void add_scaled(tsl_twin *twin, tsl_rng *rng, uint32_t x, unsigned op) {
    unsigned width = width_at(twin, x);
    uint32_t k = add_number(twin, rng, width);
    if (width > 2 && below(rng, 2))
        twin->nodes.data[k] = (tsl_expr){
            .op = TSL_EXPR_CONST, .width = (uint8_t)width, .lo = 2 + below(rng, width < 4 ? 2 : 6)};
    add(twin, (tsl_expr){.op = (uint8_t)op, .width = (uint8_t)width, .a = x, .b = k});
}

static void add_any(tsl_twin *twin, tsl_rng *rng, enum tsl_twin_kind kind) {
    unsigned op = TSL_EXPR_NOT + below(rng, TSL_EXPR_COUNT - TSL_EXPR_NOT);
    uint32_t x = any(twin, rng);
    unsigned width = width_at(twin, x);
    if (op == TSL_EXPR_LOOKUP)
        add_lookup(twin, rng);
    else if (op == TSL_EXPR_NOT)
        add(twin, (tsl_expr){.op = (uint8_t)op, .width = (uint8_t)width, .a = x});
    else if (op >= TSL_EXPR_EQ && op <= TSL_EXPR_SLE)
        tsl_twin_condition(twin, rng);
    else if (op == TSL_EXPR_CONCAT && below(rng, 2))
        add_pieces(twin, rng, x);
    else if (op >= TSL_EXPR_ADD && op <= TSL_EXPR_ASHR && below(rng, 3) == 0)
        add_scaled(twin, rng, x, op);
    else if (op >= TSL_EXPR_CONCAT && op <= TSL_EXPR_SEXT)
        tsl_twin_fit(twin, rng, some_width(rng, kind));
    else if (op == TSL_EXPR_ITE) {
        uint32_t cond = tsl_twin_condition(twin, rng), y = tsl_twin_fit(twin, rng, width);
        add(twin,
            (tsl_expr){.op = (uint8_t)op, .width = (uint8_t)width, .a = cond, .b = x, .c = y});
    } else {
        uint32_t y = tsl_twin_fit(twin, rng, width);
        bool swap = below(rng, 4) == 0;
        add(twin,
            (tsl_expr){
                .op = (uint8_t)op, .width = (uint8_t)width, .a = swap ? y : x, .b = swap ? x : y});
    }
}

void tsl_twin_generate(tsl_twin *twin, tsl_rng *rng, enum tsl_twin_kind kind, unsigned nodes) {
    *twin = (tsl_twin){0};
    tsl_vec_push(&twin->nodes, (tsl_expr){0});
    unsigned left = 12;
    twin->nvars = 1 + below(rng, kind == TSL_TWIN_TINY ? 4 : TSL_TWIN_VARS);
    for (unsigned i = 0; i < twin->nvars; i++) {
        unsigned width = some_width(rng, kind);
        if (kind == TSL_TWIN_TINY) {
            unsigned most = left - (twin->nvars - 1 - i);
            width = width < most ? width : most;
            left -= width;
        }
        twin->widths[i] = width;
        twin->sample[i] = tsl_twin_number(rng, width);
        add(twin, (tsl_expr){.op = TSL_EXPR_INPUT, .width = (uint8_t)width, .a = i});
    }
    for (unsigned i = 0; i < nodes; i++)
        add_any(twin, rng, kind);
}

void tsl_twin_drop(tsl_twin *twin) {
    tsl_vec_drop(&twin->nodes);
    tsl_vec_drop(&twin->labels);
}

void tsl_twin_build(const tsl_twin *twin, tsl_terms *terms, tsl_term *out) {
    memset(out, 0, twin->nodes.len * sizeof *out);
    for (size_t i = 0; i < twin->labels.len; i++) {
        uint32_t label = twin->labels.data[i];
        const tsl_expr *n = &twin->nodes.data[label];
        tsl_term *t = &out[label], none = {0};
        if (n->op == TSL_EXPR_CONST)
            *t = tsl_term_const(terms, n->width, (tsl_value){n->lo, n->hi});
        else if (n->op == TSL_EXPR_INPUT)
            *t = tsl_term_var(terms, twin->first + n->a, n->width);
        else if (n->op == TSL_EXPR_LOOKUP)
            *t = tsl_term_lookup(terms, n->extra, n + 1, n->b, out[n->a]);
        else
            *t = tsl_term_make(terms, n->op, n->width, n->extra, out[n->a], n->b ? out[n->b] : none,
                               n->c ? out[n->c] : none);
    }
}
