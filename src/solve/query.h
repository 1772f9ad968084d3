// One question on its way through the chain; for the files of this room only.
//
// The model is changed in place and every change can be taken back, so a try costs
// what it changes and not what there is.
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
    tsl_term_vec conds; // all that must hold: first those that do, then the goal's
    size_t held;        // so many do under the model as it was handed in
    tsl_term goal;      // as it was asked for: some of its conditions may be among those that hold
    tsl_u32_vec vars;   // of all conds, each once
    tsl_u32_vec widths; // theirs
    tsl_model *model;
    TSL_VEC(tsl_range) bounds; // of vars, in their order; empty until somebody knows
    tsl_evaluator ev;

    TSL_VEC(tsl_change) changes;
    tsl_u32_vec touched; // by variable: stamp of the try that changed it
    uint32_t stamp;
    // By term, by variable: where in conds, in vars, from 1; old entries are told by what is there now.
    tsl_u32_vec place, var_place;
} tsl_query;

void tsl_query_init(tsl_query *q, tsl_terms *terms);
void tsl_query_drop(tsl_query *q);

// A new question.  Conditions and variables are added by who slices, then it is closed.
void tsl_query_open(tsl_query *q, tsl_model *model);
void tsl_query_add(tsl_query *q, tsl_term cond); // once each
void tsl_query_close(tsl_query *q);

// Is that one of its conditions?
bool tsl_query_has(const tsl_query *q, tsl_term cond);
// One of those that hold already?
bool tsl_query_knows(const tsl_query *q, tsl_term cond);
bool tsl_query_has_var(const tsl_query *q, uint32_t var);

// Its value under the model as it is now.  Not the one of before the last change only if
// tsl_query_refresh was called since.
tsl_value tsl_query_value(tsl_query *q, tsl_term t);
void tsl_query_refresh(tsl_query *q);

void tsl_query_set(tsl_query *q, uint32_t var, tsl_value v);
void tsl_query_undo(tsl_query *q, size_t changes); // back to when there were so many
bool tsl_query_holds(tsl_query *q);                // do all conditions, now?
void tsl_query_shrink(tsl_query *q);               // takes back changes that were not necessary

static inline unsigned tsl_query_width(const tsl_query *q, tsl_term t) {
    return tsl_term_width(q->terms, t);
}

// Adds the conditions that `cond` is the conjunction of.
void tsl_conjuncts(tsl_terms *terms, tsl_term cond, tsl_term_vec *out);

#endif
