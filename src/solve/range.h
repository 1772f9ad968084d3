// Ranges of numbers, and what operators do to them.  For the files of this room only.
//
// A term is in a range if its unsigned value is in lo..hi and its signed value in slo..shi.
// tsl_range_forward computes the result's range from those of the operands, tsl_range_backward
// narrows the operands' ranges by the result's.  Ranges may be too wide but never too narrow, so an
// empty range means that no value is possible.
#ifndef TSL_SOLVE_RANGE_H
#define TSL_SOLVE_RANGE_H

#include "expr/term.h"

typedef struct tsl_range {
    tsl_wide lo, hi;
    tsl_wide_signed slo, shi;
} tsl_range;

tsl_range tsl_range_full(unsigned width);
tsl_range tsl_range_point(tsl_wide v, unsigned width);

static inline bool tsl_range_is_empty(const tsl_range *r) {
    return r->lo > r->hi || r->slo > r->shi;
}
static inline bool tsl_range_is_point(const tsl_range *r) { return r->lo == r->hi; }

// Intersects `r` with `other`; true if that made `r` smaller.
bool tsl_range_meet(tsl_range *r, const tsl_range *other, unsigned width);

// An operator with the ranges of its operands; NULL for operands it does not have.
typedef struct tsl_ranged {
    const tsl_terms *terms;
    tsl_term t;
    unsigned op, width, extra;
    unsigned a_width, b_width;
    tsl_range *a, *b, *c;
} tsl_ranged;

tsl_range tsl_range_forward(const tsl_ranged *x);

// Narrows the operands; true if a range became smaller.
bool tsl_range_backward(const tsl_ranged *x, const tsl_range *r);

#endif
