// Random expressions, and what they mean, without any of the cleverness of src/expr.
//
// Expressions are nodes as a run writes them down, with INPUT's `a` the number of a variable.  Their
// meaning is computed bit by bit, as one learns it at school: no simplification, no words of the machine.
#ifndef TSL_ORACLE_TWIN_H
#define TSL_ORACLE_TWIN_H

#include "base/rng.h"
#include "expr/term.h"

enum { TSL_TWIN_VARS = 6 };

typedef struct tsl_twin {
    TSL_VEC(tsl_expr) nodes;  // 0 is none; raw nodes behind a LOOKUP as in a Trace
    TSL_VEC(uint32_t) labels; // those that are values
    unsigned nvars, widths[TSL_TWIN_VARS];
    uint32_t first; // number of the first variable as a term
    tsl_value
        sample[TSL_TWIN_VARS]; // some values: numbers near what they give are tried more often
} tsl_twin;

enum tsl_twin_kind {
    TSL_TWIN_TINY, // variables of together at most 12 bits
    TSL_TWIN_C,    // as compiled C: 8, 16, 32, 64 bits, conditions
    TSL_TWIN_ANY,  // every width up to 128
    TSL_TWIN_KINDS
};

void tsl_twin_generate(tsl_twin *twin, tsl_rng *rng, enum tsl_twin_kind kind, unsigned nodes);
void tsl_twin_drop(tsl_twin *twin);

// A label of that width made of what there is, with new nodes if need be.
uint32_t tsl_twin_fit(tsl_twin *twin, tsl_rng *rng, unsigned width);
// A new condition.
uint32_t tsl_twin_condition(tsl_twin *twin, tsl_rng *rng);

tsl_value tsl_twin_eval(const tsl_twin *twin, uint32_t label, const tsl_value *model);

// The same as terms, by label; the caller has room for nodes.len.
void tsl_twin_build(const tsl_twin *twin, tsl_terms *terms, tsl_term *out);

// Random, but often a number that matters.
tsl_value tsl_twin_number(tsl_rng *rng, unsigned width);

#endif
