// Computes values of terms; see eval.h.
#include "expr/eval.h"

#include <string.h>

#include "expr/pool.h"

void tsl_evaluator_init(tsl_evaluator *ev, const tsl_terms *terms) {
    *ev = (tsl_evaluator){.terms = terms};
}

void tsl_evaluator_drop(tsl_evaluator *ev) {
    tsl_vec_drop(&ev->values);
    tsl_vec_drop(&ev->stamps);
    tsl_vec_drop(&ev->todo);
}

static void make_room(tsl_evaluator *ev) {
    size_t n = ev->terms->nodes.len;
    if (ev->stamps.len >= n)
        return;
    tsl_vec_reserve(&ev->stamps, n);
    tsl_vec_reserve(&ev->values, n);
    memset(ev->stamps.data + ev->stamps.len, 0,
           (ev->stamps.cap - ev->stamps.len) * sizeof *ev->stamps.data);
    size_t room = ev->stamps.cap < ev->values.cap ? ev->stamps.cap : ev->values.cap;
    ev->stamps.len = ev->values.len = room;
}

void tsl_evaluator_begin(tsl_evaluator *ev, const tsl_value *model, size_t nvars) {
    ev->model = model;
    ev->nvars = nvars;
    if (++ev->stamp == 0) { // the stamp has wrapped round: old stamps must not look current
        memset(ev->stamps.data, 0, ev->stamps.len * sizeof *ev->stamps.data);
        ev->stamp = 1;
    }
    make_room(ev);
}

// Is the value of node `i` known?  Leaves are computed at once; other nodes are added to the list.
static bool is_ready(tsl_evaluator *ev, uint32_t i) {
    if (ev->stamps.data[i] == ev->stamp)
        return true;
    const tsl_node *n = &ev->terms->nodes.data[i];
    if (n->op == TSL_EXPR_CONST)
        ev->values.data[i] = tsl_node_value(ev->terms, n);
    else if (n->op == TSL_EXPR_INPUT)
        ev->values.data[i] = n->a < ev->nvars ? ev->model[n->a] : (tsl_value){0};
    else {
        tsl_vec_push(&ev->todo, i);
        return false;
    }
    ev->stamps.data[i] = ev->stamp;
    return true;
}

static tsl_value compute(const tsl_evaluator *ev, const tsl_node *n) {
    const tsl_value *v = ev->values.data;
    const tsl_node *nodes = ev->terms->nodes.data;
    if (n->op == TSL_EXPR_LOOKUP) {
        const tsl_table *t = &ev->terms->tables.data[n->b];
        tsl_value i = v[n->a];
        return tsl_table_at(t, i.hi || i.lo >= t->n ? t->n : (uint32_t)i.lo);
    }
    tsl_apply x = {.op = n->op, .width = n->width, .extra = n->extra};
    x.a_width = nodes[n->a].width;
    x.b_width = nodes[n->b].width;
    x.a = v[n->a];
    x.b = v[n->b];
    x.c = v[n->c];
    return tsl_value_apply(&x);
}

tsl_value tsl_evaluator_value(tsl_evaluator *ev, tsl_term t) {
    TSL_BUG_ON(t.i == 0 || t.i >= ev->terms->nodes.len, "term %u", t.i);
    make_room(ev);
    tsl_vec_clear(&ev->todo);
    if (is_ready(ev, t.i))
        return ev->values.data[t.i];
    while (ev->todo.len) {
        uint32_t i = tsl_vec_last(&ev->todo);
        const tsl_node *n = &ev->terms->nodes.data[i];
        unsigned arity = tsl_expr_arity[n->op];
        bool ready = is_ready(ev, n->a);
        ready &= arity < 2 || is_ready(ev, n->b);
        ready &= arity < 3 || is_ready(ev, n->c);
        if (!ready)
            continue;
        (void)tsl_vec_pop(&ev->todo);
        ev->work++;
        ev->values.data[i] = compute(ev, n);
        ev->stamps.data[i] = ev->stamp;
    }
    return ev->values.data[t.i];
}

tsl_value tsl_term_eval(tsl_evaluator *ev, tsl_term t, const tsl_value *model, size_t nvars) {
    tsl_evaluator_begin(ev, model, nvars);
    return tsl_evaluator_value(ev, t);
}
