// Does the goal contradict a condition of the path syntactically?
//
// This is CUTE's first optimisation: most branches that can't be taken are the negation of one that
// was taken before (a loop's bound, a check repeated by a callee).  Equal terms are one term and so
// are equal negations, so the question is a table lookup.  Besides the negation itself:
//
//     a = b   contradicts   a < b, b < a
//     a < b   contradicts   b < a, a = b
#include "solve/link.h"

static bool knows(tsl_query *q, enum tsl_expr_op op, tsl_term a, tsl_term b) {
    return tsl_query_knows(q, tsl_term_binary(q->terms, op, a, b));
}

static bool is_ruled_out(tsl_query *q, tsl_term goal) {
    if (tsl_query_knows(q, tsl_term_not(q->terms, goal)))
        return true;
    tsl_term a = tsl_term_operand(q->terms, goal, 0), b = tsl_term_operand(q->terms, goal, 1);
    enum tsl_expr_op op = tsl_term_op(q->terms, goal);
    switch (op) {
    case TSL_EXPR_EQ:
        return tsl_query_width(q, a) > 1 &&
               (knows(q, TSL_EXPR_ULT, a, b) || knows(q, TSL_EXPR_ULT, b, a) ||
                knows(q, TSL_EXPR_SLT, a, b) || knows(q, TSL_EXPR_SLT, b, a));
    case TSL_EXPR_ULT:
    case TSL_EXPR_SLT:
        return knows(q, op, b, a) || knows(q, TSL_EXPR_EQ, a, b);
    default:
        return false;
    }
}

// A disjunction is ruled out if each part is.
static bool all_ruled_out(tsl_query *q, tsl_term goal) {
    enum { MOST_PARTS = 256 };
    tsl_term_vec parts = {0};
    tsl_term against = tsl_term_not(q->terms, goal);
    bool all = true;
    tsl_conjuncts(q->terms, against, &parts);
    for (size_t i = 0; all && i < parts.len; i++)
        all = parts.len <= MOST_PARTS && (tsl_query_knows(q, parts.data[i]) ||
                                          is_ruled_out(q, tsl_term_not(q->terms, parts.data[i])));
    tsl_vec_drop(&parts);
    return all;
}

static enum tsl_sat contradict(void *self, tsl_query *q) {
    (void)self;
    for (size_t i = q->held; i < q->conds.len; i++) {
        tsl_term goal = q->conds.data[i];
        enum tsl_expr_op op = tsl_term_op(q->terms, goal);
        bool out = is_ruled_out(q, goal);
        if (!out && (op == TSL_EXPR_OR || op == TSL_EXPR_NOT))
            out = all_ruled_out(q, goal);
        if (out)
            return TSL_UNSAT;
    }
    return TSL_UNKNOWN;
}

const tsl_link tsl_link_contradict = {.solve = contradict};
