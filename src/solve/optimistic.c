// What can be done if Z3 gives up?
//
// First the question is made linear: in each product, quotient or shift of two terms one operand is
// pinned, that is, replaced by its value in the run, and a condition says that it has this value.
// So a solution of the linear question solves the original one (CUTE's thesis, 4.3.3, adds no such
// condition, and may miss the path).  Then only the goal is asked for.  A run with a model of the
// goal may leave the path before it reaches the goal; the next run will show.
#include "solve/link.h"

typedef struct optimistic {
    tsl_chain *chain;
    tsl_u32_vec instead; // by term: the term that replaces it
    tsl_u32_vec when;    // by term: the stamp of the question for which `instead` is valid
    uint32_t stamp;
    tsl_u32_vec todo;
    tsl_term_vec conds; // of the question, and those of the pins
} optimistic;

static void begin(void *self, tsl_chain *chain) {
    optimistic *o = self;
    o->chain = chain;
}

static void drop(void *self) {
    optimistic *o = self;
    tsl_vec_drop(&o->instead);
    tsl_vec_drop(&o->when);
    tsl_vec_drop(&o->todo);
    tsl_vec_drop(&o->conds);
}

// ---------------------------------------------------------------- making it linear

static bool is_nonlinear(const tsl_terms *terms, tsl_term t) {
    enum tsl_expr_op op = tsl_term_op(terms, t);
    bool may =
        (op >= TSL_EXPR_MUL && op <= TSL_EXPR_SREM) || (op >= TSL_EXPR_SHL && op <= TSL_EXPR_ASHR);
    return may && !tsl_term_is_const(terms, tsl_term_operand(terms, t, 0)) &&
           !tsl_term_is_const(terms, tsl_term_operand(terms, t, 1));
}

static tsl_term instead_of(const optimistic *o, tsl_term t) {
    return (tsl_term){t.i ? o->instead.data[t.i] : 0};
}

// The number of the operand to pin: the divisor, the distance of a shift, or a factor.  A factor of
// 0 is not pinned, because nothing would be left to solve for.
static unsigned to_pin(tsl_query *q, tsl_term t) {
    bool product = tsl_term_op(q->terms, t) == TSL_EXPR_MUL;
    return product && tsl_value_is_zero(tsl_query_value(q, tsl_term_operand(q->terms, t, 1))) ? 0
                                                                                              : 1;
}

static tsl_term replace(optimistic *o, tsl_query *q, tsl_term t) {
    tsl_term x[3];
    for (unsigned k = 0; k < 3; k++)
        x[k] = instead_of(o, tsl_term_operand(q->terms, t, k));
    if (is_nonlinear(q->terms, t)) {
        unsigned k = to_pin(q, t);
        tsl_term pin = tsl_term_operand(q->terms, t, k);
        x[k] = tsl_term_const(q->terms, tsl_query_width(q, pin), tsl_query_value(q, pin));
        tsl_vec_push(&o->conds, tsl_term_binary(q->terms, TSL_EXPR_EQ, pin, x[k]));
    }
    return tsl_term_rebuild(q->terms, t, x[0], x[1], x[2]);
}

static bool is_done(optimistic *o, tsl_term t) {
    if (o->when.data[t.i] == o->stamp)
        return true;
    tsl_vec_push(&o->todo, t.i);
    return false;
}

static tsl_term make_linear(optimistic *o, tsl_query *q, tsl_term root) {
    tsl_vec_lengthen(&o->when, root.i + 1u);
    tsl_vec_lengthen(&o->instead, root.i + 1u);
    tsl_vec_clear(&o->todo);
    is_done(o, root);
    while (o->todo.len) {
        tsl_term t = {tsl_vec_last(&o->todo)};
        bool ready = true;
        for (unsigned k = 0; k < tsl_term_arity(q->terms, t); k++)
            ready &= is_done(o, tsl_term_operand(q->terms, t, k));
        if (!ready)
            continue;
        (void)tsl_vec_pop(&o->todo);
        bool leaf = tsl_term_arity(q->terms, t) == 0;
        if (o->when.data[t.i] != o->stamp)
            o->instead.data[t.i] = leaf ? t.i : replace(o, q, t).i;
        o->when.data[t.i] = o->stamp;
    }
    return instead_of(o, root);
}

// The conditions of pins contain original terms, so they are made linear, too.
static bool linearise(optimistic *o, tsl_query *q) {
    bool any = false;
    o->stamp++;
    tsl_vec_clear(&o->conds);
    tsl_vec_append(&o->conds, q->conds.data, q->conds.len);
    for (size_t i = 0; i < o->conds.len; i++) {
        tsl_term t = o->conds.data[i], linear = make_linear(o, q, t);
        any |= linear.i != t.i;
        o->conds.data[i] = linear;
    }
    return any;
}

// ---------------------------------------------------------------- the link

static enum tsl_sat solve(void *self, tsl_query *q) {
    optimistic *o = self;
    if (linearise(o, q) && tsl_z3_ask(o->chain->z3, q, o->conds.data, o->conds.len) == TSL_SAT &&
        tsl_query_holds(q))
        return TSL_SAT;
    tsl_query_undo(q, 0);
    if (q->held == 0 && !(o->chain->options.without >> TSL_LINK_Z3 & 1))
        return TSL_UNKNOWN; // Z3 was asked the same question already
    enum tsl_sat alone = tsl_z3_ask(o->chain->z3, q, &q->goal, 1);
    if (alone != TSL_SAT)
        return alone;
    tsl_query_refresh(q);
    if (!tsl_evaluator_holds(&q->ev, q->goal))
        return TSL_UNKNOWN;
    o->chain->optimistic = !tsl_query_holds(q);
    return TSL_SAT;
}

const tsl_link tsl_link_optimistic = {
    .size = sizeof(optimistic), .begin = begin, .drop = drop, .solve = solve};
