// From the nodes of a Trace to terms.
//
// A run writes its expressions down as nodes (abi/symbol.h).  Consecutive runs have most of
// them in common, so a reader keeps the last run's nodes and rebuilds only what differs; a value
// that differs where the operator is the same is only noted.  The nodes come out of a
// stranger's memory: every field is checked.
#ifndef TSL_EXPR_IMPORT_H
#define TSL_EXPR_IMPORT_H

#include "base/err.h"
#include "expr/eval.h"
#include "expr/term.h"
#include "expr/var.h"

typedef struct tsl_import_input {
    uint32_t label, var;
} tsl_import_input;

typedef struct tsl_import {
    TSL_VEC(tsl_expr) nodes;          // of the last run
    TSL_VEC(tsl_term) terms;          // by label; none for what is not a value
    TSL_VEC(uint8_t) changed;         // by label, against the run before
    TSL_VEC(tsl_import_input) inputs; // ascending
    TSL_VEC(tsl_var) scratch;
    size_t rebuilt; // nodes that were, in the last run
} tsl_import;       // all zero is ready

void tsl_import_init(tsl_import *im);
void tsl_import_drop(tsl_import *im);

// False, with err, if the nodes make no sense; then the reader is empty.
bool tsl_import_read(tsl_import *im, tsl_terms *terms, tsl_vars *vars, const tsl_expr *nodes,
                     uint32_t n, tsl_err *err);

// What a label stands for, and what it was in the run.  None for labels that are not values.
tsl_term tsl_import_term(const tsl_import *im, uint32_t label);
tsl_value tsl_import_value(const tsl_import *im, uint32_t label);
// The same, of the label a BRANCH carries.  None for labels that are not conditions.
tsl_term tsl_import_condition(const tsl_import *im, tsl_terms *terms, uint64_t label);

// The values of all variables in the run; 0 for those it did not have.
void tsl_import_model(const tsl_import *im, const tsl_vars *vars, tsl_model *model);

// Does each node have the value that the run's inputs give it?  If not, *label is the first
// that has not.
bool tsl_import_check(const tsl_import *im, const tsl_vars *vars, tsl_evaluator *ev,
                      uint32_t *label);

#endif
