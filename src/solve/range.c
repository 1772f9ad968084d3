// Computes ranges of terms; see range.h.
#include "solve/range.h"

// ---------------------------------------------------------------- ranges

static tsl_wide_signed smallest(unsigned width) {
    return (tsl_wide_signed)(~(tsl_wide)0 << (width - 1));
}

static tsl_wide_signed largest(unsigned width) { return (tsl_wide_signed)tsl_wide_ones(width - 1); }

tsl_range tsl_range_full(unsigned width) {
    return (tsl_range){0, tsl_wide_ones(width), smallest(width), largest(width)};
}

tsl_range tsl_range_point(tsl_wide v, unsigned width) {
    v &= tsl_wide_ones(width);
    tsl_wide_signed s = tsl_wide_sign(v, width);
    return (tsl_range){v, v, s, s};
}

static void unsigned_part(tsl_range *r, tsl_wide lo, tsl_wide hi) {
    r->lo = lo > r->lo ? lo : r->lo;
    r->hi = hi < r->hi ? hi : r->hi;
}

static void signed_part(tsl_range *r, tsl_wide_signed lo, tsl_wide_signed hi) {
    r->slo = lo > r->slo ? lo : r->slo;
    r->shi = hi < r->shi ? hi : r->shi;
}

// Where the sign is known, the signed and the unsigned range narrow each other.
static void agree(tsl_range *r, unsigned width) {
    tsl_wide half = (tsl_wide)1 << (width - 1), ones = tsl_wide_ones(width);
    if (r->lo > r->hi || r->slo > r->shi)
        return;
    if (r->hi < half || r->lo >= half)
        signed_part(r, tsl_wide_sign(r->lo, width), tsl_wide_sign(r->hi, width));
    if (r->slo >= 0 || r->shi < 0)
        unsigned_part(r, (tsl_wide)r->slo & ones, (tsl_wide)r->shi & ones);
}

bool tsl_range_meet(tsl_range *r, const tsl_range *other, unsigned width) {
    tsl_range old = *r;
    unsigned_part(r, other->lo, other->hi);
    signed_part(r, other->slo, other->shi);
    agree(r, width);
    return r->lo != old.lo || r->hi != old.hi || r->slo != old.slo || r->shi != old.shi;
}

static tsl_range from_unsigned(tsl_wide lo, tsl_wide hi, unsigned width) {
    tsl_range r = tsl_range_full(width);
    unsigned_part(&r, lo, hi);
    agree(&r, width);
    return r;
}

static tsl_range from_signed(tsl_wide_signed lo, tsl_wide_signed hi, unsigned width) {
    tsl_range r = tsl_range_full(width);
    signed_part(&r, lo, hi);
    agree(&r, width);
    return r;
}

// ---------------------------------------------------------------- sums and differences

// Narrows to lo..hi reduced to the width, if both ends or neither have overflowed.
static void wrap_unsigned(tsl_range *r, tsl_wide lo, bool lo_out, tsl_wide hi, bool hi_out,
                          tsl_wide ones) {
    if (lo_out == hi_out)
        unsigned_part(r, lo & ones, hi & ones);
}

static bool add_out(tsl_wide a, tsl_wide b, tsl_wide ones, tsl_wide *sum) {
    *sum = a + b;
    return *sum < a || *sum > ones;
}

static tsl_range add(const tsl_range *a, const tsl_range *b, unsigned width) {
    tsl_range r = tsl_range_full(width);
    tsl_wide lo, hi, ones = tsl_wide_ones(width);
    bool lo_out = add_out(a->lo, b->lo, ones, &lo), hi_out = add_out(a->hi, b->hi, ones, &hi);
    wrap_unsigned(&r, lo, lo_out, hi, hi_out, ones);
    tsl_wide_signed slo, shi;
    if (!__builtin_add_overflow(a->slo, b->slo, &slo) &&
        !__builtin_add_overflow(a->shi, b->shi, &shi) && slo >= r.slo && shi <= r.shi)
        signed_part(&r, slo, shi);
    agree(&r, width);
    return r;
}

static tsl_range subtract(const tsl_range *a, const tsl_range *b, unsigned width) {
    tsl_range r = tsl_range_full(width);
    tsl_wide ones = tsl_wide_ones(width);
    wrap_unsigned(&r, a->lo - b->hi, a->lo < b->hi, a->hi - b->lo, a->hi < b->lo, ones);
    tsl_wide_signed slo, shi;
    if (!__builtin_sub_overflow(a->slo, b->shi, &slo) &&
        !__builtin_sub_overflow(a->shi, b->slo, &shi) && slo >= r.slo && shi <= r.shi)
        signed_part(&r, slo, shi);
    agree(&r, width);
    return r;
}

static tsl_range complement(const tsl_range *a, unsigned width) {
    tsl_wide ones = tsl_wide_ones(width);
    tsl_range r = {~a->hi & ones, ~a->lo & ones, ~a->shi, ~a->slo};
    return r;
}

// ---------------------------------------------------------------- forward

static bool multiplies_out(tsl_wide a, tsl_wide b, unsigned width) {
    return b != 0 && a > tsl_wide_ones(width) / b;
}

static tsl_range multiply(const tsl_ranged *x) {
    if (multiplies_out(x->a->hi, x->b->hi, x->width))
        return tsl_range_full(x->width);
    return from_unsigned(x->a->lo * x->b->lo, x->a->hi * x->b->hi, x->width);
}

static tsl_range divide(const tsl_ranged *x) {
    const tsl_range *a = x->a, *b = x->b;
    switch (x->op) {
    case TSL_EXPR_UDIV:
        if (b->lo > 0)
            return from_unsigned(a->lo / b->hi, a->hi / b->lo, x->width);
        break;
    case TSL_EXPR_UREM:
        if (b->lo > 0 && a->hi < b->lo)
            return *a;
        return from_unsigned(0, b->lo > 0 && b->hi - 1 < a->hi ? b->hi - 1 : a->hi, x->width);
    case TSL_EXPR_SDIV:
        if (b->slo > 0)
            return from_signed(a->slo < 0 ? a->slo / b->slo : a->slo / b->shi,
                               a->shi < 0 ? a->shi / b->shi : a->shi / b->slo, x->width);
        break;
    default:
        if (b->slo > 0)
            return from_signed(a->slo < 0 ? 1 - b->shi : 0, a->shi > 0 ? b->shi - 1 : 0, x->width);
    }
    return tsl_range_full(x->width);
}

// Sets all bits below the highest bit of w.
static tsl_wide fill(tsl_wide w) {
    for (unsigned s = 1; s < 128; s *= 2)
        w |= w >> s;
    return w;
}

static tsl_range logic(const tsl_ranged *x) {
    tsl_wide top = fill(x->a->hi | x->b->hi);
    tsl_wide most_lo = x->a->lo > x->b->lo ? x->a->lo : x->b->lo;
    switch (x->op) {
    case TSL_EXPR_AND:
        return from_unsigned(0, x->a->hi < x->b->hi ? x->a->hi : x->b->hi, x->width);
    case TSL_EXPR_OR:
        return from_unsigned(most_lo, top, x->width);
    default:
        return from_unsigned(0, top, x->width);
    }
}

static tsl_range extract(const tsl_ranged *x) {
    unsigned end = x->extra + x->width;
    tsl_wide lo = x->a->lo >> x->extra, hi = x->a->hi >> x->extra, ones = tsl_wide_ones(x->width);
    bool one_block = end >= 128 || x->a->lo >> end == x->a->hi >> end;
    return one_block ? from_unsigned(lo & ones, hi & ones, x->width) : tsl_range_full(x->width);
}

static tsl_range hull(const tsl_range *a, const tsl_range *b) {
    return (tsl_range){a->lo < b->lo ? a->lo : b->lo, a->hi > b->hi ? a->hi : b->hi,
                       a->slo < b->slo ? a->slo : b->slo, a->shi > b->shi ? a->shi : b->shi};
}

enum { MOST_ELEMENTS = 512 };

static tsl_range look_up(const tsl_ranged *x) {
    uint32_t n = tsl_term_table_len(x->terms, x->t);
    if (n > MOST_ELEMENTS)
        return tsl_range_full(x->width);
    tsl_range r = tsl_range_point(0, x->width);
    bool any = x->a->hi >= n; // beyond the end is 0
    for (uint32_t i = 0; i < n; i++) {
        if (i < x->a->lo || i > x->a->hi)
            continue;
        tsl_range e = tsl_range_point(tsl_wide_of(tsl_term_table_at(x->terms, x->t, i)), x->width);
        r = any ? hull(&r, &e) : e;
        any = true;
    }
    return r;
}

static tsl_range truth(bool may_be_false, bool may_be_true) {
    return may_be_false && may_be_true ? tsl_range_full(1) : tsl_range_point(may_be_true, 1);
}

static tsl_range compare(const tsl_ranged *x) {
    const tsl_range *a = x->a, *b = x->b;
    bool apart = a->hi < b->lo || b->hi < a->lo || a->shi < b->slo || b->shi < a->slo;
    switch (x->op) {
    case TSL_EXPR_EQ:
        return truth(apart || !tsl_range_is_point(a) || !tsl_range_is_point(b), !apart);
    case TSL_EXPR_ULT:
        return truth(a->hi >= b->lo, a->lo < b->hi);
    case TSL_EXPR_ULE:
        return truth(a->hi > b->lo, a->lo <= b->hi);
    case TSL_EXPR_SLT:
        return truth(a->shi >= b->slo, a->slo < b->shi);
    default:
        return truth(a->shi > b->slo, a->slo <= b->shi);
    }
}

tsl_range tsl_range_forward(const tsl_ranged *x) {
    switch (x->op) {
    case TSL_EXPR_NOT:
        return complement(x->a, x->width);
    case TSL_EXPR_ADD:
        return add(x->a, x->b, x->width);
    case TSL_EXPR_SUB:
        return subtract(x->a, x->b, x->width);
    case TSL_EXPR_MUL:
        return multiply(x);
    case TSL_EXPR_UDIV:
    case TSL_EXPR_UREM:
    case TSL_EXPR_SDIV:
    case TSL_EXPR_SREM:
        return divide(x);
    case TSL_EXPR_AND:
    case TSL_EXPR_OR:
    case TSL_EXPR_XOR:
        return logic(x);
    case TSL_EXPR_LSHR:
        return from_unsigned(0, x->a->hi, x->width);
    case TSL_EXPR_EQ:
    case TSL_EXPR_ULT:
    case TSL_EXPR_ULE:
    case TSL_EXPR_SLT:
    case TSL_EXPR_SLE:
        return compare(x);
    case TSL_EXPR_CONCAT:
        return from_unsigned(x->a->lo << x->b_width | x->b->lo, x->a->hi << x->b_width | x->b->hi,
                             x->width);
    case TSL_EXPR_EXTRACT:
        return extract(x);
    case TSL_EXPR_ZEXT:
        return from_unsigned(x->a->lo, x->a->hi, x->width);
    case TSL_EXPR_SEXT:
        return from_signed(x->a->slo, x->a->shi, x->width);
    case TSL_EXPR_ITE:
        return !tsl_range_is_point(x->a) ? hull(x->b, x->c) : x->a->lo ? *x->b : *x->c;
    case TSL_EXPR_LOOKUP:
        return look_up(x);
    default:
        return tsl_range_full(x->width);
    }
}

// ---------------------------------------------------------------- backward: arithmetic

static bool narrow_unsigned(tsl_range *r, tsl_wide lo, tsl_wide hi, unsigned width) {
    tsl_range other = tsl_range_full(width);
    other.lo = lo;
    other.hi = hi < other.hi ? hi : other.hi;
    return tsl_range_meet(r, &other, width);
}

static bool narrow_signed(tsl_range *r, tsl_wide_signed lo, tsl_wide_signed hi, unsigned width) {
    tsl_range other = tsl_range_full(width);
    other.slo = lo;
    other.shi = hi;
    return tsl_range_meet(r, &other, width);
}

static bool back_sum(const tsl_ranged *x, const tsl_range *r) {
    tsl_range a = x->op == TSL_EXPR_ADD ? subtract(r, x->b, x->width) : add(r, x->b, x->width);
    bool changed = tsl_range_meet(x->a, &a, x->width);
    tsl_range b = x->op == TSL_EXPR_ADD ? subtract(r, x->a, x->width) : subtract(x->a, r, x->width);
    return changed | tsl_range_meet(x->b, &b, x->width);
}

// Works for a constant factor with which the product can't overflow.
static bool back_product(const tsl_ranged *x, const tsl_range *r) {
    if (!tsl_range_is_point(x->b) || x->b->lo == 0 || multiplies_out(x->a->hi, x->b->lo, x->width))
        return false;
    tsl_wide k = x->b->lo;
    return narrow_unsigned(x->a, r->lo / k + (r->lo % k != 0), r->hi / k, x->width);
}

static bool back_quotient(const tsl_ranged *x, const tsl_range *r) {
    if (!tsl_range_is_point(x->b) || x->b->lo == 0)
        return false;
    tsl_wide k = x->b->lo, ones = tsl_wide_ones(x->width);
    if (multiplies_out(r->lo, k, x->width))
        return narrow_unsigned(x->a, 1, 0, x->width); // empty: no dividend is that large
    tsl_wide hi = multiplies_out(r->hi, k, x->width) ? ones : r->hi * k;
    hi = ones - hi < k - 1 ? ones : hi + (k - 1);
    return narrow_unsigned(x->a, r->lo * k, hi, x->width);
}

// ---------------------------------------------------------------- backward: comparisons

static bool back_equal(const tsl_ranged *x, bool yes) {
    unsigned width = x->a_width;
    if (yes) {
        bool changed = tsl_range_meet(x->a, x->b, width);
        return changed | tsl_range_meet(x->b, x->a, width);
    }
    bool changed = false;
    for (unsigned k = 0; k < 2; k++) {
        tsl_range *one = k ? x->b : x->a;
        const tsl_range *point = k ? x->a : x->b;
        if (!tsl_range_is_point(point))
            continue;
        tsl_range less = *one;
        less.lo += one->lo == point->lo;
        less.hi -= one->hi == point->lo && one->hi > 0;
        less.slo += one->slo == point->slo;
        less.shi -= one->shi == point->slo && one->shi > smallest(width);
        if (one->lo == one->hi && one->lo == point->lo) {
            less.lo = 1;
            less.hi = 0;
        }
        changed |= tsl_range_meet(one, &less, width);
    }
    return changed;
}

static bool back_less(tsl_range *a, tsl_range *b, bool strict, bool is_signed, unsigned width) {
    bool changed;
    if (is_signed) {
        if (strict && (b->shi == smallest(width) || a->slo == largest(width)))
            return narrow_unsigned(a, 1, 0, width);
        changed = narrow_signed(a, smallest(width), b->shi - strict, width);
        return changed | narrow_signed(b, a->slo + strict, largest(width), width);
    }
    if (strict && (b->hi == 0 || a->lo == tsl_wide_ones(width)))
        return narrow_unsigned(a, 1, 0, width);
    changed = narrow_unsigned(a, 0, b->hi - strict, width);
    return changed | narrow_unsigned(b, a->lo + strict, tsl_wide_ones(width), width);
}

static bool back_compare(const tsl_ranged *x, const tsl_range *r) {
    if (!tsl_range_is_point(r))
        return false;
    bool yes = r->lo != 0, is_signed = x->op == TSL_EXPR_SLT || x->op == TSL_EXPR_SLE;
    bool strict = x->op == TSL_EXPR_ULT || x->op == TSL_EXPR_SLT;
    if (x->op == TSL_EXPR_EQ)
        return back_equal(x, yes);
    return yes ? back_less(x->a, x->b, strict, is_signed, x->a_width)
               : back_less(x->b, x->a, !strict, is_signed, x->a_width);
}

// ---------------------------------------------------------------- backward: the rest

static bool back_logic(const tsl_ranged *x, const tsl_range *r) {
    if (x->width > 1) {
        if (x->op == TSL_EXPR_AND) { // no operand is less than the result
            bool changed = narrow_unsigned(x->a, r->lo, tsl_wide_ones(x->width), x->width);
            return changed | narrow_unsigned(x->b, r->lo, tsl_wide_ones(x->width), x->width);
        }
        if (x->op == TSL_EXPR_OR) {
            bool changed = narrow_unsigned(x->a, 0, r->hi, x->width);
            return changed | narrow_unsigned(x->b, 0, r->hi, x->width);
        }
        return false;
    }
    if (!tsl_range_is_point(r) || x->op == TSL_EXPR_XOR)
        return false;
    tsl_range all = tsl_range_point(x->op == TSL_EXPR_AND, 1),
              none = tsl_range_point(all.lo ^ 1, 1);
    if (r->lo == all.lo) {
        bool changed = tsl_range_meet(x->a, &all, 1);
        return changed | tsl_range_meet(x->b, &all, 1);
    }
    bool changed = false;
    if (tsl_range_is_point(x->a) && x->a->lo == all.lo)
        changed |= tsl_range_meet(x->b, &none, 1);
    if (tsl_range_is_point(x->b) && x->b->lo == all.lo)
        changed |= tsl_range_meet(x->a, &none, 1);
    return changed;
}

static bool back_concat(const tsl_ranged *x, const tsl_range *r) {
    tsl_wide low = tsl_wide_ones(x->b_width);
    bool changed = narrow_unsigned(x->a, r->lo >> x->b_width, r->hi >> x->b_width, x->a_width);
    if (r->lo >> x->b_width == r->hi >> x->b_width)
        changed |= narrow_unsigned(x->b, r->lo & low, r->hi & low, x->b_width);
    return changed;
}

static bool back_extract(const tsl_ranged *x, const tsl_range *r) {
    if (x->extra != 0 || x->width >= 128 || x->a->lo >> x->width != x->a->hi >> x->width)
        return false;
    tsl_wide base = x->a->lo >> x->width << x->width;
    return narrow_unsigned(x->a, base | r->lo, base | r->hi, x->a_width);
}

static bool back_choice(const tsl_ranged *x, const tsl_range *r) {
    if (tsl_range_is_point(x->a))
        return tsl_range_meet(x->a->lo ? x->b : x->c, r, x->width);
    tsl_range b = *x->b, c = *x->c;
    tsl_range_meet(&b, r, x->width);
    tsl_range_meet(&c, r, x->width);
    bool no_b = tsl_range_is_empty(&b), no_c = tsl_range_is_empty(&c);
    if (!no_b && !no_c)
        return false;
    tsl_range which = tsl_range_point(no_c, 1);
    return tsl_range_meet(x->a, &which, 1);
}

static bool back_lookup(const tsl_ranged *x, const tsl_range *r) {
    uint32_t n = tsl_term_table_len(x->terms, x->t);
    if (n > MOST_ELEMENTS || r->lo == 0) // every index beyond the end gives 0
        return false;
    tsl_wide lo = 1, hi = 0;
    for (uint32_t i = 0; i < n; i++) {
        tsl_wide e = tsl_wide_of(tsl_term_table_at(x->terms, x->t, i));
        if (e < r->lo || e > r->hi)
            continue;
        lo = hi < lo ? i : lo;
        hi = i;
    }
    return narrow_unsigned(x->a, lo, hi, x->a_width);
}

bool tsl_range_backward(const tsl_ranged *x, const tsl_range *r) {
    switch (x->op) {
    case TSL_EXPR_NOT: {
        tsl_range a = complement(r, x->width);
        return tsl_range_meet(x->a, &a, x->width);
    }
    case TSL_EXPR_ADD:
    case TSL_EXPR_SUB:
        return back_sum(x, r);
    case TSL_EXPR_MUL:
        return back_product(x, r);
    case TSL_EXPR_UDIV:
        return back_quotient(x, r);
    case TSL_EXPR_AND:
    case TSL_EXPR_OR:
    case TSL_EXPR_XOR:
        return back_logic(x, r);
    case TSL_EXPR_EQ:
    case TSL_EXPR_ULT:
    case TSL_EXPR_ULE:
    case TSL_EXPR_SLT:
    case TSL_EXPR_SLE:
        return back_compare(x, r);
    case TSL_EXPR_CONCAT:
        return back_concat(x, r);
    case TSL_EXPR_EXTRACT:
        return back_extract(x, r);
    case TSL_EXPR_ZEXT:
        return narrow_unsigned(x->a, r->lo, r->hi, x->a_width);
    case TSL_EXPR_SEXT: {
        tsl_range full = tsl_range_full(x->a_width);
        return narrow_signed(x->a, r->slo, r->shi < full.shi ? r->shi : full.shi, x->a_width);
    }
    case TSL_EXPR_ITE:
        return back_choice(x, r);
    case TSL_EXPR_LOOKUP:
        return back_lookup(x, r);
    default:
        return false;
    }
}
