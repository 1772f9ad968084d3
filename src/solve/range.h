// Ranges of numbers, and what operators do to them; for the files of this room only.
//
// A range holds of a term if its unsigned value is in lo..hi and its signed one in slo..shi.  Forward:
// what the operands' ranges say of the result.  Backward: what the result's range says of the operands.
// Both may say too little, never too much: what is empty in the end can't be.
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

// What is in both; true if that is less than r was.
bool tsl_range_meet(tsl_range *r, const tsl_range *other, unsigned width);

// An operator with the ranges of its operands; those it does not have are NULL.
typedef struct tsl_ranged {
    const tsl_terms *terms;
    tsl_term t;
    unsigned op, width, extra;
    unsigned a_width, b_width;
    tsl_range *a, *b, *c;
} tsl_ranged;

tsl_range tsl_range_forward(const tsl_ranged *x);

// Narrows the operands; true if it did.
bool tsl_range_backward(const tsl_ranged *x, const tsl_range *r);

#endif
