// Do the ranges of terms show that the conditions can't hold?
//
// Each term of the slice has a range (range.h), and that of each condition is {true}.  Ranges of
// operands narrow those of results, and the other way round, up and down until nothing changes any
// more.  An empty range proves UNSAT.  Otherwise the ranges of the variables are noted for later
// links, and the model is tried with its values moved into them.
#include "solve/link.h"
#include "solve/tape.h"

enum { MOST_NODES = 4096, MOST_STEPS = 50000 };

typedef struct interval {
    tsl_tape tape;
    TSL_VEC(tsl_range) ranges; // by place on the tape
    tsl_query *q;
} interval;

static void drop(void *self) {
    interval *in = self;
    tsl_tape_drop(&in->tape);
    tsl_vec_drop(&in->ranges);
}

static void start(interval *in) {
    tsl_vec_clear(&in->ranges);
    for (size_t i = 0; i < in->tape.nodes.len; i++) {
        const tsl_tape_node *n = &in->tape.nodes.data[i];
        tsl_vec_push(
            &in->ranges,
            n->op == TSL_EXPR_CONST
                ? tsl_range_point(tsl_wide_of(tsl_term_value(in->q->terms, n->t)), n->width)
                : tsl_range_full(n->width));
    }
    for (size_t i = 0; i < in->q->conds.len; i++) {
        tsl_range yes = tsl_range_point(1, 1);
        tsl_range_meet(&in->ranges.data[tsl_tape_place(&in->tape, in->q->conds.data[i])], &yes, 1);
    }
}

static tsl_ranged at(const interval *in, const tsl_tape_node *n) {
    tsl_range *ranges = in->ranges.data;
    const tsl_tape_node *nodes = in->tape.nodes.data;
    tsl_ranged x = {
        .terms = in->q->terms, .t = n->t, .op = n->op, .width = n->width, .extra = n->extra};
    x.a = &ranges[n->operands[0]];
    x.a_width = nodes[n->operands[0]].width;
    if (n->arity > 1) {
        x.b = &ranges[n->operands[1]];
        x.b_width = nodes[n->operands[1]].width;
    }
    if (n->arity > 2)
        x.c = &ranges[n->operands[2]];
    return x;
}

static bool has_empty_operand(const tsl_ranged *x) {
    return tsl_range_is_empty(x->a) || (x->b && tsl_range_is_empty(x->b)) ||
           (x->c && tsl_range_is_empty(x->c));
}

enum outcome { STABLE, NARROWED, EMPTY };

static enum outcome go_up(interval *in) {
    enum outcome out = STABLE;
    for (size_t i = 0; i < in->tape.nodes.len; i++) {
        const tsl_tape_node *n = &in->tape.nodes.data[i];
        if (!n->arity)
            continue;
        tsl_ranged x = at(in, n);
        tsl_range r = tsl_range_forward(&x);
        if (!tsl_range_meet(&in->ranges.data[i], &r, n->width))
            continue;
        if (tsl_range_is_empty(&in->ranges.data[i]))
            return EMPTY;
        out = NARROWED;
    }
    return out;
}

static enum outcome go_down(interval *in) {
    enum outcome out = STABLE;
    for (size_t i = in->tape.nodes.len; i-- > 0;) {
        const tsl_tape_node *n = &in->tape.nodes.data[i];
        if (!n->arity)
            continue;
        tsl_ranged x = at(in, n);
        if (!tsl_range_backward(&x, &in->ranges.data[i]))
            continue;
        if (has_empty_operand(&x))
            return EMPTY;
        out = NARROWED;
    }
    return out;
}

// Narrowing by one at a time could take for ever (x < y, y < x), so the number of steps is limited.
static enum outcome narrow(interval *in) {
    enum outcome up = go_up(in);
    for (size_t steps = 0; up != EMPTY && steps < MOST_STEPS; steps += in->tape.nodes.len) {
        enum outcome down = go_down(in);
        if (down != NARROWED)
            return down;
        up = go_up(in);
        if (up == STABLE)
            return STABLE;
    }
    return up;
}

static void note_bounds(interval *in) {
    tsl_query *q = in->q;
    tsl_vec_clear(&q->bounds);
    for (size_t i = 0; i < q->vars.len; i++)
        tsl_vec_push(&q->bounds, (tsl_range){0});
    for (size_t i = 0; i < in->tape.nodes.len; i++) {
        const tsl_tape_node *n = &in->tape.nodes.data[i];
        if (n->op != TSL_EXPR_INPUT)
            continue;
        uint32_t var = tsl_term_variable(q->terms, n->t);
        q->bounds.data[q->var_place.data[var] - 1] = in->ranges.data[i];
    }
}

// The number in the range that is nearest to v.
static tsl_wide push_inside(const tsl_range *r, tsl_wide v, unsigned width) {
    tsl_wide_signed s = tsl_wide_sign(v, width);
    if (s < r->slo)
        return (tsl_wide)r->slo;
    if (s > r->shi)
        return (tsl_wide)r->shi;
    return v < r->lo ? r->lo : v > r->hi ? r->hi : v;
}

static bool try_inside(interval *in) {
    tsl_query *q = in->q;
    for (size_t i = 0; i < in->tape.nodes.len; i++) {
        const tsl_tape_node *n = &in->tape.nodes.data[i];
        if (n->op != TSL_EXPR_INPUT)
            continue;
        uint32_t var = tsl_term_variable(q->terms, n->t);
        tsl_wide v = push_inside(&in->ranges.data[i], tsl_wide_of(q->model->data[var]), n->width);
        tsl_query_set(q, var, tsl_value_of(v, n->width));
    }
    return q->changes.len && tsl_query_holds(q);
}

static enum tsl_sat solve(void *self, tsl_query *q) {
    interval *in = self;
    in->q = q;
    if (!tsl_tape_write(&in->tape, q, MOST_NODES))
        return TSL_UNKNOWN;
    start(in);
    if (narrow(in) == EMPTY)
        return TSL_UNSAT;
    note_bounds(in);
    return try_inside(in) ? TSL_SAT : TSL_UNKNOWN;
}

const tsl_link tsl_link_interval = {.size = sizeof(interval), .drop = drop, .solve = solve};
