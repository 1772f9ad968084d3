// What do random expressions mean, computed without any of the cleverness of src/expr?
//
// Expressions are in the form in which a run records them, except that `a` of an INPUT is the
// number of a variable.  Their values are computed bit by bit, with school arithmetic: nothing is
// simplified, and machine words are not used.
#ifndef TSL_ORACLE_TWIN_H
#define TSL_ORACLE_TWIN_H

#include "base/rng.h"
#include "expr/term.h"

enum { TSL_TWIN_VARS = 6 };

typedef struct tsl_twin {
    TSL_VEC(tsl_expr) nodes;  // number 0 is none; raw nodes follow a LOOKUP, as in a Trace
    TSL_VEC(uint32_t) labels; // of the nodes that are values
    unsigned nvars, widths[TSL_TWIN_VARS];
    uint32_t first; // the number that the first variable has as a term
    tsl_value
        sample[TSL_TWIN_VARS]; // some values: numbers near what they give are tried more often
} tsl_twin;

enum tsl_twin_kind {
    TSL_TWIN_TINY, // all variables together have at most 12 bits
    TSL_TWIN_C,    // as in compiled C: 8, 16, 32, 64 bits, and conditions
    TSL_TWIN_ANY,  // every width up to 128
    TSL_TWIN_KINDS
};

void tsl_twin_generate(tsl_twin *twin, tsl_rng *rng, enum tsl_twin_kind kind, unsigned nodes);
void tsl_twin_drop(tsl_twin *twin);

// Makes a label of this width out of those there are, with new nodes if need be.
uint32_t tsl_twin_fit(tsl_twin *twin, tsl_rng *rng, unsigned width);
// Makes a new condition.
uint32_t tsl_twin_condition(tsl_twin *twin, tsl_rng *rng);

tsl_value tsl_twin_eval(const tsl_twin *twin, uint32_t label, const tsl_value *model);

// Makes terms of all nodes, by label; the caller provides room for nodes.len of them.
void tsl_twin_build(const tsl_twin *twin, tsl_terms *terms, tsl_term *out);

// A random number, often one that matters.
tsl_value tsl_twin_number(tsl_rng *rng, unsigned width);

#endif
