// Which terms do the nodes of a Trace stand for?
//
// A run writes its expressions as nodes (abi/symbol.h); the number of a node is its label.
// Consecutive runs have most nodes in common, so the reader keeps the nodes of the last run and
// rebuilds only terms that differ.  If just the value of a node differs, only that is noted.  The
// nodes are memory that the program could write to, so every field is checked.
#ifndef TSL_EXPR_IMPORT_H
#define TSL_EXPR_IMPORT_H

#include "base/err.h"
#include "expr/eval.h"
#include "expr/var.h"

typedef struct tsl_import_input {
    uint32_t label, var;
} tsl_import_input;

typedef struct tsl_import {
    TSL_VEC(tsl_expr) nodes;          // of the last run
    TSL_VEC(tsl_term) terms;          // by label; 0 if the node is not a value
    TSL_VEC(uint8_t) changed;         // by label: does it differ from the run before?
    TSL_VEC(tsl_import_input) inputs; // in ascending order of labels
    TSL_VEC(tsl_var) scratch;
    size_t rebuilt; // number of nodes that were rebuilt for the last run
} tsl_import;       // all zero is a valid start

void tsl_import_init(tsl_import *im);
void tsl_import_drop(tsl_import *im);

// Returns false and fills `err` if the nodes are malformed; the reader is then empty.
bool tsl_import_read(tsl_import *im, tsl_terms *terms, tsl_vars *vars, const tsl_expr *nodes,
                     uint32_t n, tsl_err *err);

// The term of a label, and its value in the run; 0 for labels that are not values.
tsl_term tsl_import_term(const tsl_import *im, uint32_t label);
tsl_value tsl_import_value(const tsl_import *im, uint32_t label);
// The term of the label that a BRANCH event carries; 0 for labels that are not conditions.
tsl_term tsl_import_condition(const tsl_import *im, tsl_terms *terms, uint64_t label);

// The values of all variables in the run; 0 for variables that the run did not have.
void tsl_import_model(const tsl_import *im, const tsl_vars *vars, tsl_model *model);

// Do all nodes have the values that the run's inputs imply?  If not, *label is the first wrong one.
bool tsl_import_check(const tsl_import *im, const tsl_vars *vars, tsl_evaluator *ev,
                      uint32_t *label);

#endif
