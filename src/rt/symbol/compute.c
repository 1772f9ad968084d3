// Labels of what instructions compute.
#include "../notes.h"
#include "symbol.h"

#define OP(code) ((code)&255u)
#define WIDTH(code) ((code) >> 8 & 255u)
#define MORE(code) ((code) >> 16)

static bool is_comparison(unsigned op) { return op >= TSL_EXPR_EQ && op <= TSL_EXPR_SLE; }
static bool is_shift(unsigned op) { return op >= TSL_EXPR_SHL && op <= TSL_EXPR_ASHR; }

static uint32_t binary(uint32_t code, uint32_t la, uint32_t lb, wide a, wide b) {
    unsigned op = OP(code), width = WIDTH(code);
    if (!SYM->nodes)
        return 0;
    if (is_shift(op) && b >= width) { // undefined in C, and terms differ from the processor there
        symbol_lost(TSL_LOST_SHIFT, 0);
        return 0;
    }
    uint32_t x = node_or_const(la, width, a), y = node_or_const(lb, width, b);
    uint32_t label = node_two(op, is_comparison(op) ? 1 : width, x, y);
    return is_comparison(op) && (MORE(code) & TSL_SYM_INVERT) ? node_not(label) : label;
}

TSL_SLOW uint32_t __teasel_sym_binary_slow(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                           uint64_t b) {
    return binary(code, la, lb, a, b);
}

TSL_SLOW uint32_t __teasel_sym_wide_slow(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                         uint64_t a_high, uint64_t b, uint64_t b_high) {
    return binary(code, la, lb, wide_of(a, a_high), wide_of(b, b_high));
}

TSL_SLOW uint32_t __teasel_sym_cast_slow(uint32_t code, uint32_t label) {
    return SYM->nodes ? node_one(OP(code), WIDTH(code), label) : 0;
}

TSL_SLOW uint32_t __teasel_sym_select_slow(uint32_t width, uint32_t lc, uint32_t la, uint32_t lb,
                                           uint32_t cond, uint64_t a, uint64_t a_high, uint64_t b,
                                           uint64_t b_high) {
    (void)cond;
    if (!SYM->nodes)
        return 0;
    return node_if(width, lc, node_or_const(la, width, wide_of(a, a_high)),
                   node_or_const(lb, width, wide_of(b, b_high)));
}

// base + index * scale.
TSL_SLOW uint32_t __teasel_sym_gep_slow(uint32_t lbase, uint32_t lindex, uint64_t base,
                                        uint64_t index, uint64_t scale, uint32_t index_width) {
    if (!SYM->nodes)
        return 0;
    uint32_t offset = lindex;
    if (lindex && index_width < 64)
        offset = node_one(TSL_EXPR_SEXT, 64, lindex);
    else if (lindex && index_width > 64)
        offset = node_cut(64, 0, lindex);
    if (lindex && scale != 1)
        offset = node_two(TSL_EXPR_MUL, 64, offset, node_const(64, scale));
    return node_two(TSL_EXPR_ADD, 64, node_or_const(offset, 64, index * scale),
                    node_or_const(lbase, 64, base));
}

// ---------------------------------------------------------------- functions of the compiler

static uint32_t bit(uint32_t x, unsigned i) { return node_cut(1, i, x); }

static uint32_t pick(unsigned op, bool swap, uint32_t x, uint32_t y, unsigned width) {
    uint32_t less = node_two(op, 1, x, y);
    return node_if(width, less, swap ? y : x, swap ? x : y);
}

static uint32_t swap_bytes(uint32_t x, unsigned width) {
    uint32_t all = 0;
    for (unsigned at = 0; at < width; at += 8) {
        uint32_t byte = node_cut(8, at, x);
        all = at == 0 ? byte : node_two(TSL_EXPR_CONCAT, at + 8, all, byte);
    }
    return all;
}

static uint32_t count_ones(uint32_t x, unsigned width) {
    uint32_t sum = node_one(TSL_EXPR_ZEXT, width, bit(x, 0));
    for (unsigned i = 1; i < width; i++)
        sum = node_two(TSL_EXPR_ADD, width, sum, node_one(TSL_EXPR_ZEXT, width, bit(x, i)));
    return sum;
}

// The number of zero bits before the first one bit, from one side.
static uint32_t count_zeros(uint32_t x, unsigned width, bool from_low) {
    uint32_t n = node_const(width, width);
    for (unsigned k = 0; k < width; k++) {
        unsigned i = from_low ? width - 1 - k : k;
        unsigned zeros = from_low ? i : width - 1 - i;
        n = node_if(width, bit(x, i), node_const(width, zeros), n);
    }
    return n;
}

// Shifts (x : y) by a concrete amount; one that depends on inputs is pinned first.
static uint32_t funnel(uint32_t x, uint32_t y, unsigned by, bool left, unsigned width) {
    by %= width;
    if (by == 0)
        return left ? x : y;
    uint32_t both = node_two(TSL_EXPR_CONCAT, 2 * width, x, y);
    return node_cut(width, left ? width - by : by, both);
}

TSL_SLOW uint32_t __teasel_sym_function_slow(uint32_t code, uint32_t la, uint32_t lb, uint32_t lc,
                                             uint64_t a, uint64_t b, uint64_t c) {
    unsigned width = WIDTH(code);
    if (!SYM->nodes)
        return 0;
    uint32_t x = node_or_const(la, width, a), y = node_or_const(lb, width, b);
    switch (OP(code)) {
    case TSL_SYM_ABS: {
        uint32_t zero = node_const(width, 0);
        uint32_t negative = node_test(TSL_EXPR_SLT, x, zero);
        return node_if(width, negative, node_two(TSL_EXPR_SUB, width, zero, x), x);
    }
    case TSL_SYM_SMAX:
        return pick(TSL_EXPR_SLT, true, x, y, width);
    case TSL_SYM_SMIN:
        return pick(TSL_EXPR_SLT, false, x, y, width);
    case TSL_SYM_UMAX:
        return pick(TSL_EXPR_ULT, true, x, y, width);
    case TSL_SYM_UMIN:
        return pick(TSL_EXPR_ULT, false, x, y, width);
    case TSL_SYM_BSWAP:
        return swap_bytes(x, width);
    case TSL_SYM_FSHL:
    case TSL_SYM_FSHR:
        if (lc)
            branch_pin(lc, 0);
        return funnel(x, y, (unsigned)c, OP(code) == TSL_SYM_FSHL, width);
    case TSL_SYM_CTPOP:
        return count_ones(x, width);
    default:
        return count_zeros(x, width, OP(code) == TSL_SYM_CTTZ);
    }
}

// An operation overflows if the exact result, twice as wide, differs from the extended narrow one.
TSL_SLOW uint32_t __teasel_sym_overflows_slow(uint32_t code, uint32_t la, uint32_t lb, uint64_t a,
                                              uint64_t b) {
    unsigned op = OP(code), width = WIDTH(code);
    unsigned extend = MORE(code) & TSL_SYM_SIGNED ? TSL_EXPR_SEXT : TSL_EXPR_ZEXT;
    if (!SYM->nodes)
        return 0;
    uint32_t x = node_or_const(la, width, a), y = node_or_const(lb, width, b);
    uint32_t narrow = node_two(op, width, x, y);
    uint32_t exact =
        node_two(op, 2 * width, node_one(extend, 2 * width, x), node_one(extend, 2 * width, y));
    uint32_t same = node_test(TSL_EXPR_EQ, node_one(extend, 2 * width, narrow), exact);
    return node_not(same);
}

// ---------------------------------------------------------------- atomics

TSL_SLOW uint32_t __teasel_sym_rmw_slow(uint32_t code, void *p, uint32_t label, uint64_t old,
                                        uint64_t value) {
    unsigned op = OP(code), width = WIDTH(code);
    if (!SYM->nodes)
        return 0;
    uint32_t before = shadow_load((uintptr_t)p, width / 8, old), after = label;
    if (op == TSL_EXPR_COUNT) {
        after = 0;
        if (before | label)
            symbol_lost(TSL_LOST_OTHER, 0);
    } else if (op != TSL_EXPR_NONE && (before | label))
        after = binary(TSL_SYM_CODE(op, width, 0), before, label, old, value);
    __teasel_sym_store_slow(p, width / 8, after);
    return before;
}

// Whether it stores is like a branch, because that decides which value is there afterwards.  If it
// depends on inputs, the step counts as a write in both cases, so that the same steps depend on it.
TSL_SLOW uint32_t __teasel_sym_cas_slow(uint32_t width, void *p, uint32_t lexpected,
                                        uint32_t lwanted, uint64_t old, uint64_t expected,
                                        uint32_t stored, uint32_t site) {
    if (!SYM->nodes)
        return 0;
    uint32_t before = shadow_load((uintptr_t)p, width / 8, old);
    uint32_t same = 0;
    if (before | lexpected)
        same = binary(TSL_SYM_CODE(TSL_EXPR_EQ, width, 0), before, lexpected, old, expected);
    bool also = tsl_is_note(TSL_HOT->cursor[-1].kind); // a weak one counts as a write already
    if (branch_is_open(same) && !also)
        tslrt_also(TSL_EV_AWRITE, p, 0, (unsigned)__builtin_ctz(width / 8));
    branch_on(same, stored, 0, site);
    if (stored)
        __teasel_sym_store_slow(p, width / 8, lwanted);
    return before;
}
