// Bit-vector terms, of which path conditions are made.
//
// Equal terms are one term (hash-consing), so testing for equality compares two numbers, and
// building a term again in the next run costs one lookup.  Terms are simplified when they are
// built: detours that C compilers take (bytes cut out of words and put together again, comparisons
// widened to int and compared with 0) disappear, and a condition and its negation are recognised as
// such.  A simplified term has the same value as the plain one under every assignment;
// tests/oracle/test_solve.c checks this with a naive twin.
//
// The operators are those of abi/exprs.def.  A pool lives as long as a campaign and only grows.
#ifndef TSL_EXPR_TERM_H
#define TSL_EXPR_TERM_H

#include "expr/value.h"

typedef struct {
    uint32_t i; // 0: none
} tsl_term;

typedef struct tsl_terms tsl_terms;

tsl_terms *tsl_terms_new(void);
void tsl_terms_free(tsl_terms *terms);

// ---------------------------------------------------------------- building

tsl_term tsl_term_const(tsl_terms *terms, unsigned width, tsl_value v);

// The caller numbers the variables, densely from 0; the width of a variable never changes.
tsl_term tsl_term_var(tsl_terms *terms, uint32_t var, unsigned width);

// A term with any operator of exprs.def that has operands.  Unused operands are 0.
tsl_term tsl_term_make(tsl_terms *terms, enum tsl_expr_op op, unsigned width, unsigned extra,
                       tsl_term a, tsl_term b, tsl_term c);

// Negation of a condition (width 1).  Negating twice gives the same term.
tsl_term tsl_term_not(tsl_terms *terms, tsl_term cond);

// Element number `index` of a table of n little-endian elements; 0 beyond its end.
tsl_term tsl_term_lookup(tsl_terms *terms, unsigned elem_bytes, const void *table, uint32_t n,
                         tsl_term index);

// The same operator (including a table) with other operands of the same widths.
tsl_term tsl_term_rebuild(tsl_terms *terms, tsl_term t, tsl_term a, tsl_term b, tsl_term c);

// Shorthands.
tsl_term tsl_term_binary(tsl_terms *terms, enum tsl_expr_op op, tsl_term a, tsl_term b);
tsl_term tsl_term_extract(tsl_terms *terms, tsl_term a, unsigned from, unsigned width);
tsl_term tsl_term_bool(tsl_terms *terms, bool b);

// Do the widths and operands fit the operator?  tsl_term_make requires it.
bool tsl_term_may_make(const tsl_terms *terms, enum tsl_expr_op op, unsigned width, unsigned extra,
                       tsl_term a, tsl_term b, tsl_term c);

// ---------------------------------------------------------------- looking

enum tsl_expr_op tsl_term_op(const tsl_terms *terms, tsl_term t); // INPUT for a variable
unsigned tsl_term_width(const tsl_terms *terms, tsl_term t);
unsigned tsl_term_extra(const tsl_terms *terms, tsl_term t);
unsigned tsl_term_arity(const tsl_terms *terms, tsl_term t);
tsl_term tsl_term_operand(const tsl_terms *terms, tsl_term t, unsigned i); // 0 beyond its arity
uint32_t tsl_term_variable(const tsl_terms *terms, tsl_term t);            // of an INPUT
bool tsl_term_is_const(const tsl_terms *terms, tsl_term t);
tsl_value tsl_term_value(const tsl_terms *terms, tsl_term t); // of a CONST

// The table of a LOOKUP.
uint32_t tsl_term_table_len(const tsl_terms *terms, tsl_term t);
tsl_value tsl_term_table_at(const tsl_terms *terms, tsl_term t, uint32_t i);

// The variables of a term in ascending order.  The set is computed once, and shared by terms with
// the same variables.  The pointer is valid until the next call.
typedef struct tsl_varset {
    const uint32_t *vars;
    uint32_t n;
} tsl_varset;

tsl_varset tsl_term_vars(tsl_terms *terms, tsl_term t);

unsigned tsl_terms_var_width(const tsl_terms *terms, uint32_t var); // 0: no such variable
size_t tsl_terms_count(const tsl_terms *terms); // numbers of terms are below that

#endif
