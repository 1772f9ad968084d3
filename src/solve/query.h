// One question on its way through the chain.  For the files of this room only.
//
// The model is changed in place and every change can be undone, so the cost of a try depends on
// what it changes, not on the size of the model.
#ifndef TSL_SOLVE_QUERY_H
#define TSL_SOLVE_QUERY_H

#include "expr/eval.h"
#include "solve/range.h"
#include "solve/solver.h"

typedef TSL_VEC(tsl_term) tsl_term_vec;
typedef TSL_VEC(uint32_t) tsl_u32_vec;

typedef struct tsl_change {
    uint32_t var;
    tsl_value old;
} tsl_change;

typedef struct tsl_query {
    tsl_terms *terms;
    tsl_term_vec conds; // all conditions: first those of the path, which hold, then the goal's
    size_t held;        // number of conditions of the path
    tsl_term goal;      // the whole goal; some of its conditions may be among those of the path
    tsl_u32_vec vars;   // the variables of all conditions, each once
    tsl_u32_vec widths; // of `vars`
    tsl_model *model;
    TSL_VEC(tsl_range) bounds; // of `vars`; empty until a link has found them
    tsl_evaluator ev;

    TSL_VEC(tsl_change) changes;
    tsl_u32_vec touched; // by variable: stamp of the try that changed it
    uint32_t stamp;
    // By term, by variable: index in `conds`, in `vars`, + 1; valid only if it is found there.
    tsl_u32_vec place, var_place;
} tsl_query;

void tsl_query_init(tsl_query *q, tsl_terms *terms);
void tsl_query_drop(tsl_query *q);

// Starts a new question.  The slicer adds conditions and variables, and then closes it.
void tsl_query_open(tsl_query *q, tsl_model *model);
void tsl_query_add(tsl_query *q, tsl_term cond); // once each
void tsl_query_close(tsl_query *q);

// Is `cond` one of the conditions?
bool tsl_query_has(const tsl_query *q, tsl_term cond);
// Is `cond` one of the conditions of the path, which hold already?
bool tsl_query_knows(const tsl_query *q, tsl_term cond);
bool tsl_query_has_var(const tsl_query *q, uint32_t var);

// The value of a term under the model as it was at the last tsl_query_refresh.
tsl_value tsl_query_value(tsl_query *q, tsl_term t);
void tsl_query_refresh(tsl_query *q);

void tsl_query_set(tsl_query *q, uint32_t var, tsl_value v);
void tsl_query_undo(tsl_query *q, size_t changes); // undoes all but the first `changes` changes
bool tsl_query_holds(tsl_query *q);                // do all conditions hold now?
void tsl_query_shrink(tsl_query *q);               // undoes changes that are not necessary

// Does the condition have a variable whose entry of `touched` is the present stamp?
bool tsl_query_is_touched(const tsl_query *q, tsl_term cond);

static inline unsigned tsl_query_width(const tsl_query *q, tsl_term t) {
    return tsl_term_width(q->terms, t);
}

// Adds to `out` the conditions whose conjunction `cond` is.
void tsl_conjuncts(tsl_terms *terms, tsl_term cond, tsl_term_vec *out);

#endif
