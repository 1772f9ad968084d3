// Keeps one question and tries values for it; see query.h.
#include "solve/query.h"

void tsl_query_init(tsl_query *q, tsl_terms *terms) {
    *q = (tsl_query){.terms = terms};
    tsl_evaluator_init(&q->ev, terms);
}

void tsl_query_drop(tsl_query *q) {
    tsl_vec_drop(&q->conds);
    tsl_vec_drop(&q->vars);
    tsl_vec_drop(&q->widths);
    tsl_vec_drop(&q->changes);
    tsl_vec_drop(&q->touched);
    tsl_vec_drop(&q->bounds);
    tsl_vec_drop(&q->place);
    tsl_vec_drop(&q->var_place);
    tsl_evaluator_drop(&q->ev);
}

// ---------------------------------------------------------------- what is asked

void tsl_query_open(tsl_query *q, tsl_model *model) {
    tsl_vec_clear(&q->conds);
    tsl_vec_clear(&q->vars);
    tsl_vec_clear(&q->changes);
    tsl_vec_clear(&q->bounds);
    q->held = 0;
    q->model = model;
}

bool tsl_query_has(const tsl_query *q, tsl_term cond) {
    uint32_t at = cond.i < q->place.len ? q->place.data[cond.i] : 0;
    return at > 0 && at <= q->conds.len && q->conds.data[at - 1].i == cond.i;
}

bool tsl_query_knows(const tsl_query *q, tsl_term cond) {
    return tsl_query_has(q, cond) && q->place.data[cond.i] <= q->held;
}

bool tsl_query_has_var(const tsl_query *q, uint32_t var) {
    uint32_t at = var < q->var_place.len ? q->var_place.data[var] : 0;
    return at > 0 && at <= q->vars.len && q->vars.data[at - 1] == var;
}

void tsl_query_add(tsl_query *q, tsl_term cond) {
    if (tsl_query_has(q, cond))
        return;
    tsl_vec_lengthen(&q->place, tsl_terms_count(q->terms));
    tsl_vec_push(&q->conds, cond);
    q->place.data[cond.i] = (uint32_t)q->conds.len;
}

void tsl_query_close(tsl_query *q) {
    tsl_vec_clear(&q->widths);
    for (size_t i = 0; i < q->vars.len; i++) {
        uint32_t var = q->vars.data[i];
        tsl_vec_lengthen(&q->touched, var + 1);
        tsl_vec_lengthen(&q->var_place, var + 1);
        tsl_vec_lengthen(q->model, var + 1);
        q->var_place.data[var] = (uint32_t)i + 1;
        tsl_vec_push(&q->widths, tsl_terms_var_width(q->terms, var));
    }
    tsl_query_refresh(q);
}

void tsl_conjuncts(tsl_terms *terms, tsl_term cond, tsl_term_vec *out) {
    size_t from = out->len;
    tsl_vec_push(out, cond);
    for (size_t i = from; i < out->len;) {
        tsl_term t = out->data[i], a = tsl_term_operand(terms, t, 0);
        bool is_not = tsl_term_op(terms, t) == TSL_EXPR_NOT;
        if (tsl_term_op(terms, t) == TSL_EXPR_AND) {
            out->data[i] = a;
            tsl_vec_push(out, tsl_term_operand(terms, t, 1));
        } else if (is_not && tsl_term_op(terms, a) == TSL_EXPR_OR) {
            out->data[i] = tsl_term_not(terms, tsl_term_operand(terms, a, 0));
            tsl_vec_push(out, tsl_term_not(terms, tsl_term_operand(terms, a, 1)));
        } else
            i++;
    }
}

// ---------------------------------------------------------------- trying

tsl_value tsl_query_value(tsl_query *q, tsl_term t) { return tsl_evaluator_value(&q->ev, t); }

void tsl_query_refresh(tsl_query *q) { tsl_evaluator_begin(&q->ev, q->model->data, q->model->len); }

void tsl_query_set(tsl_query *q, uint32_t var, tsl_value v) {
    tsl_value *slot = &q->model->data[var];
    if (tsl_value_equal(*slot, v))
        return;
    tsl_vec_push(&q->changes, (tsl_change){var, *slot});
    *slot = v;
}

void tsl_query_undo(tsl_query *q, size_t changes) {
    while (q->changes.len > changes) {
        tsl_change c = tsl_vec_pop(&q->changes);
        q->model->data[c.var] = c.old;
    }
}

bool tsl_query_is_touched(const tsl_query *q, tsl_term cond) {
    tsl_varset set = tsl_term_vars(q->terms, cond);
    for (uint32_t i = 0; i < set.n; i++)
        if (q->touched.data[set.vars[i]] == q->stamp)
            return true;
    return false;
}

// A condition that held, and has no variable that changed, still holds.
bool tsl_query_holds(tsl_query *q) {
    tsl_query_refresh(q);
    for (size_t i = q->held; i < q->conds.len; i++)
        if (!tsl_evaluator_holds(&q->ev, q->conds.data[i]))
            return false;
    q->stamp++;
    for (size_t i = 0; i < q->changes.len; i++)
        q->touched.data[q->changes.data[i].var] = q->stamp;
    for (size_t i = 0; i < q->held; i++)
        if (tsl_query_is_touched(q, q->conds.data[i]) &&
            !tsl_evaluator_holds(&q->ev, q->conds.data[i]))
            return false;
    return true;
}

// Reduces the changes to one per variable, from the value it had at first.
static void squeeze(tsl_query *q) {
    size_t kept = 0;
    q->stamp++;
    for (size_t i = 0; i < q->changes.len; i++) {
        tsl_change c = q->changes.data[i];
        if (q->touched.data[c.var] == q->stamp)
            continue;
        q->touched.data[c.var] = q->stamp;
        if (!tsl_value_equal(q->model->data[c.var], c.old))
            q->changes.data[kept++] = c;
    }
    q->changes.len = kept;
}

void tsl_query_shrink(tsl_query *q) {
    enum { MOST_TRIES = 64 };
    squeeze(q);
    for (size_t i = 0, tries = 0; i < q->changes.len && q->changes.len > 1 && tries < MOST_TRIES;
         tries++) {
        tsl_change c = q->changes.data[i];
        tsl_value now = q->model->data[c.var];
        q->model->data[c.var] = c.old;
        // The variable is still listed as changed, so conditions that depend on it are checked.
        if (tsl_query_holds(q)) {
            q->changes.data[i] = tsl_vec_last(&q->changes);
            (void)tsl_vec_pop(&q->changes);
        } else {
            q->model->data[c.var] = now;
            i++;
        }
    }
}
