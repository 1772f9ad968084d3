// How does a term look as text, for another solver and for people?
#ifndef TSL_EXPR_PRINT_H
#define TSL_EXPR_PRINT_H

#include "expr/term.h"
#include "expr/var.h"

// Prints an SMT-LIB 2 script (QF_BV) that asks whether all the conditions can hold at once.  Every
// node is defined once, so the size is linear.  `vars` (names go into comments) and `status`
// ("sat", "unsat", "unknown") may be NULL.
void tsl_print_smt(const tsl_terms *terms, const tsl_term *conds, size_t n, const tsl_vars *vars,
                   const char *status, tsl_buf *out);

// Prints a term as a C programmer would write it: "x + 1 < 2 * y".  Extensions are left out,
// constants of unsigned comparisons have a u, deep terms end in "...".  If `vars` is NULL,
// variables are named v0, v1, ...
void tsl_print_term(const tsl_terms *terms, tsl_term t, const tsl_vars *vars, tsl_buf *out);

#endif
