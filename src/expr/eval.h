// What is the value of a term for given values of its variables?
//
//     value(const)    = the constant
//     value(variable) = model[variable], 0 beyond its end
//     value(op a b c) = op(value(a), value(b), value(c))
//
// Evaluation is iterative, because loops make deep terms, and computes each node once, because
// terms share nodes.  Values are kept until tsl_evaluator_begin is called for a changed model.
#ifndef TSL_EXPR_EVAL_H
#define TSL_EXPR_EVAL_H

#include "expr/term.h"

typedef struct tsl_evaluator {
    const tsl_terms *terms;
    const tsl_value *model;
    size_t nvars;
    TSL_VEC(tsl_value) values; // by term; valid if the term's entry of `stamps` equals `stamp`
    TSL_VEC(uint32_t) stamps;
    TSL_VEC(uint32_t) todo;
    uint32_t stamp;
    uint64_t work; // number of nodes computed so far, under all models
} tsl_evaluator;

void tsl_evaluator_init(tsl_evaluator *ev, const tsl_terms *terms);
void tsl_evaluator_drop(tsl_evaluator *ev);

// Sets the model under which terms are evaluated.  Must be called again after each change of it.
void tsl_evaluator_begin(tsl_evaluator *ev, const tsl_value *model, size_t nvars);
tsl_value tsl_evaluator_value(tsl_evaluator *ev, tsl_term t);

static inline bool tsl_evaluator_holds(tsl_evaluator *ev, tsl_term t) {
    return tsl_evaluator_value(ev, t).lo != 0;
}

// Sets the model and evaluates one term.
tsl_value tsl_term_eval(tsl_evaluator *ev, tsl_term t, const tsl_value *model, size_t nvars);

#endif
