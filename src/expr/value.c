// Applies operators to numbers; see value.h.
#include "expr/value.h"

#include "base/err.h"

// ---------------------------------------------------------------- up to 64 bits

static int64_t sign64(uint64_t v, unsigned width) {
    unsigned rest = 64 - width;
    return (int64_t)(v << rest) >> rest;
}

// Nearly all values of a program have at most 64 bits.  Returns false for rare operators.
static bool apply64(const tsl_apply *x, uint64_t *out) {
    uint64_t a = x->a.lo, b = x->b.lo;
    switch (x->op) {
    case TSL_EXPR_NOT:
        return *out = ~a, true;
    case TSL_EXPR_ADD:
        return *out = a + b, true;
    case TSL_EXPR_SUB:
        return *out = a - b, true;
    case TSL_EXPR_MUL:
        return *out = a * b, true;
    case TSL_EXPR_AND:
        return *out = a & b, true;
    case TSL_EXPR_OR:
        return *out = a | b, true;
    case TSL_EXPR_XOR:
        return *out = a ^ b, true;
    case TSL_EXPR_EQ:
        return *out = a == b, true;
    case TSL_EXPR_ULT:
        return *out = a < b, true;
    case TSL_EXPR_ULE:
        return *out = a <= b, true;
    case TSL_EXPR_SLT:
        return *out = sign64(a, x->a_width) < sign64(b, x->a_width), true;
    case TSL_EXPR_SLE:
        return *out = sign64(a, x->a_width) <= sign64(b, x->a_width), true;
    case TSL_EXPR_CONCAT:
        return *out = a << x->b_width | b, true;
    case TSL_EXPR_EXTRACT:
        return *out = a >> x->extra, true;
    case TSL_EXPR_ZEXT:
        return *out = a, true;
    case TSL_EXPR_SEXT:
        return *out = (uint64_t)sign64(a, x->a_width), true;
    case TSL_EXPR_ITE:
        return *out = a ? b : x->c.lo, true;
    default:
        return false;
    }
}

// ---------------------------------------------------------------- up to 128 bits

static tsl_wide divide(unsigned op, unsigned width, tsl_wide a, tsl_wide b) {
    tsl_wide_signed s = tsl_wide_sign(a, width), t = tsl_wide_sign(b, width);
    if (b == 0)
        return op == TSL_EXPR_UDIV   ? ~(tsl_wide)0
               : op == TSL_EXPR_SDIV ? (s < 0 ? 1 : ~(tsl_wide)0)
                                     : a;
    switch (op) {
    case TSL_EXPR_UDIV:
        return a / b;
    case TSL_EXPR_UREM:
        return a % b;
    case TSL_EXPR_SDIV:
        return t == -1 ? 0 - a : (tsl_wide)(s / t); // the least number divided by -1 does not fit
    default:
        return t == -1 ? 0 : (tsl_wide)(s % t);
    }
}

static tsl_wide shift(unsigned op, unsigned width, tsl_wide a, tsl_wide b) {
    switch (op) {
    case TSL_EXPR_SHL:
        return b < width ? a << (unsigned)b : 0;
    case TSL_EXPR_LSHR:
        return b < width ? a >> (unsigned)b : 0;
    default:
        return (tsl_wide)(tsl_wide_sign(a, width) >> (b < width ? (unsigned)b : width - 1));
    }
}

static tsl_wide apply128(const tsl_apply *x) {
    tsl_wide a = tsl_wide_of(x->a), b = tsl_wide_of(x->b);
    switch (x->op) {
    case TSL_EXPR_NOT:
        return ~a;
    case TSL_EXPR_ADD:
        return a + b;
    case TSL_EXPR_SUB:
        return a - b;
    case TSL_EXPR_MUL:
        return a * b;
    case TSL_EXPR_UDIV:
    case TSL_EXPR_SDIV:
    case TSL_EXPR_UREM:
    case TSL_EXPR_SREM:
        return divide(x->op, x->width, a, b);
    case TSL_EXPR_AND:
        return a & b;
    case TSL_EXPR_OR:
        return a | b;
    case TSL_EXPR_XOR:
        return a ^ b;
    case TSL_EXPR_SHL:
    case TSL_EXPR_LSHR:
    case TSL_EXPR_ASHR:
        return shift(x->op, x->width, a, b);
    case TSL_EXPR_EQ:
        return a == b;
    case TSL_EXPR_ULT:
        return a < b;
    case TSL_EXPR_ULE:
        return a <= b;
    case TSL_EXPR_SLT:
        return tsl_wide_sign(a, x->a_width) < tsl_wide_sign(b, x->a_width);
    case TSL_EXPR_SLE:
        return tsl_wide_sign(a, x->a_width) <= tsl_wide_sign(b, x->a_width);
    case TSL_EXPR_CONCAT:
        return a << x->b_width | b;
    case TSL_EXPR_EXTRACT:
        return a >> x->extra;
    case TSL_EXPR_ZEXT:
        return a;
    case TSL_EXPR_SEXT:
        return (tsl_wide)tsl_wide_sign(a, x->a_width);
    case TSL_EXPR_ITE:
        return a ? b : tsl_wide_of(x->c);
    default:
        TSL_BUG_ON(true, "operator %u has no value of its own", x->op);
    }
}

tsl_value tsl_value_apply(const tsl_apply *x) {
    uint64_t v;
    if (x->width <= 64 && x->a_width <= 64 && apply64(x, &v))
        return (tsl_value){x->width == 64 ? v : v & (((uint64_t)1 << x->width) - 1), 0};
    return tsl_value_of(apply128(x), x->width);
}
