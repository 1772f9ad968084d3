// Bit-vectors of 1 to 128 bits, and the meaning of each operator.
//
// Operators mean what abi/exprs.def says, which is what they mean in SMT-LIB.  Bits beyond the
// width are always 0, so equal numbers are equal bytes.
#ifndef TSL_EXPR_VALUE_H
#define TSL_EXPR_VALUE_H

#include <stdbool.h>

#include "abi/symbol.h"
#include "base/vec.h"

enum { TSL_MOST_BITS = 128 };

typedef struct tsl_value {
    uint64_t lo, hi;
} tsl_value;

typedef TSL_VEC(tsl_value) tsl_model; // by the number of a variable

typedef unsigned __int128 tsl_wide;
typedef __int128 tsl_wide_signed;

static inline tsl_wide tsl_wide_of(tsl_value v) { return (tsl_wide)v.hi << 64 | v.lo; }

static inline tsl_wide tsl_wide_ones(unsigned width) {
    return width >= 128 ? ~(tsl_wide)0 : ((tsl_wide)1 << width) - 1;
}

static inline tsl_value tsl_value_of(tsl_wide w, unsigned width) {
    w &= tsl_wide_ones(width);
    return (tsl_value){(uint64_t)w, (uint64_t)(w >> 64)};
}

static inline bool tsl_value_equal(tsl_value a, tsl_value b) {
    return a.lo == b.lo && a.hi == b.hi;
}

static inline bool tsl_value_is_zero(tsl_value v) { return (v.lo | v.hi) == 0; }

static inline bool tsl_value_fits(tsl_value v, unsigned width) {
    return (tsl_wide_of(v) & ~tsl_wide_ones(width)) == 0;
}

// The signed value of a number of `width` bits.
static inline tsl_wide_signed tsl_wide_sign(tsl_wide w, unsigned width) {
    unsigned rest = 128 - width;
    return (tsl_wide_signed)(w << rest) >> rest;
}

static inline unsigned tsl_wide_low_zeros(tsl_wide w) { // w is not 0
    return (uint64_t)w ? (unsigned)__builtin_ctzll((uint64_t)w)
                       : 64 + (unsigned)__builtin_ctzll((uint64_t)(w >> 64));
}

// The multiplicative inverse of an odd number.  Each Newton iteration doubles the correct bits.
static inline tsl_wide tsl_wide_inverse(tsl_wide odd) {
    tsl_wide x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

// An operator with the values of its operands: any operator that computes a value, except LOOKUP.
typedef struct tsl_apply {
    unsigned op, width, extra;
    unsigned a_width, b_width; // of the operands
    tsl_value a, b, c;
} tsl_apply;

tsl_value tsl_value_apply(const tsl_apply *x);

#endif
