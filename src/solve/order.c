// Can the terms be ordered in a way that satisfies the comparisons between them?
//
// Lists, trees and sorting compare inputs with inputs.  This link looks only at conditions that
// compare two terms with <, <=, = or !=, and treats each term as an unknown number in lower..upper,
// which is at least every number below it (plus one if it is strictly below).
//
//     lower(b) >= lower(a) + (a < b)      upper(a) <= upper(b) - (a < b)
//
// If bounds never settle, there is a cycle; if a lower bound exceeds the upper one, there is a
// contradiction: both mean UNSAT.  Otherwise the old values, raised as far as necessary, satisfy
// these comparisons, and perhaps all conditions.
#include "base/deadline.h"
#include "solve/invert.h"
#include "solve/link.h"

enum { MOST_NODES = 200, MOST_EDGES = 2000 };

typedef tsl_wide_signed number; // holds signed and unsigned numbers of up to 64 bits

typedef struct node {
    number lower, upper, value;
    uint32_t same_as; // a node with the same value, or itself at the end of the chain
    bool reached;
    tsl_term t;
} node;

typedef struct edge {
    uint32_t a, b;
    bool strict; // a < b, not only a <= b
} edge;

typedef TSL_VEC(edge) edge_vec;

typedef struct order {
    tsl_query *q;
    bool is_signed;
    TSL_VEC(node) nodes;
    edge_vec edges, differ; // `differ`: pairs with a != b
    tsl_u32_vec place;      // by term: its node + 1; valid only if that node has this term
    tsl_inverter inverter;
} order;

static void drop(void *self) {
    order *o = self;
    tsl_vec_drop(&o->nodes);
    tsl_vec_drop(&o->edges);
    tsl_vec_drop(&o->differ);
    tsl_vec_drop(&o->place);
    tsl_inverter_drop(&o->inverter);
}

// ---------------------------------------------------------------- what is compared

static number number_of(const order *o, tsl_value v, unsigned width) {
    return o->is_signed ? tsl_wide_sign(tsl_wide_of(v), width) : (number)tsl_wide_of(v);
}

static uint32_t node_of(order *o, tsl_term t) {
    uint32_t at = t.i < o->place.len ? o->place.data[t.i] : 0;
    if (at > 0 && at <= o->nodes.len && o->nodes.data[at - 1].t.i == t.i)
        return at - 1;
    tsl_vec_lengthen(&o->place, t.i + 1);
    unsigned width = tsl_query_width(o->q, t);
    node n = {.t = t, .same_as = (uint32_t)o->nodes.len};
    n.value = number_of(o, tsl_query_value(o->q, t), width);
    n.lower = o->is_signed ? -((number)1 << (width - 1)) : 0;
    n.upper = (number)tsl_wide_ones(o->is_signed ? width - 1 : width);
    if (tsl_term_is_const(o->q->terms, t))
        n.lower = n.upper = n.value;
    tsl_vec_push(&o->nodes, n);
    o->place.data[t.i] = (uint32_t)o->nodes.len;
    return (uint32_t)o->nodes.len - 1;
}

static uint32_t root(const order *o, uint32_t i) {
    while (o->nodes.data[i].same_as != i)
        i = o->nodes.data[i].same_as;
    return i;
}

static void unite(order *o, uint32_t a, uint32_t b) {
    a = root(o, a);
    b = root(o, b);
    node *x = &o->nodes.data[a < b ? a : b], *y = &o->nodes.data[a < b ? b : a];
    y->same_as = a < b ? a : b;
    x->lower = y->lower > x->lower ? y->lower : x->lower;
    x->upper = y->upper < x->upper ? y->upper : x->upper;
}

// The operator of a condition that is a comparison, or none.
static enum tsl_expr_op comparison(const order *o, tsl_term cond, tsl_term *a, tsl_term *b,
                                   bool *negated) {
    const tsl_terms *terms = o->q->terms;
    *negated = tsl_term_op(terms, cond) == TSL_EXPR_NOT;
    if (*negated)
        cond = tsl_term_operand(terms, cond, 0);
    enum tsl_expr_op op = tsl_term_op(terms, cond);
    if (op < TSL_EXPR_EQ || op > TSL_EXPR_SLE || (*negated && op != TSL_EXPR_EQ))
        return TSL_EXPR_NONE;
    *a = tsl_term_operand(terms, cond, 0);
    *b = tsl_term_operand(terms, cond, 1);
    unsigned width = tsl_term_width(terms, *a);
    return width > 1 && width <= 64 ? op : TSL_EXPR_NONE;
}

static void add(order *o, tsl_term cond) {
    tsl_term a, b;
    bool negated;
    enum tsl_expr_op op = comparison(o, cond, &a, &b, &negated);
    bool is_signed = op == TSL_EXPR_SLT || op == TSL_EXPR_SLE;
    if (op == TSL_EXPR_NONE || (op != TSL_EXPR_EQ && is_signed != o->is_signed))
        return;
    uint32_t x = node_of(o, a), y = node_of(o, b);
    if (op == TSL_EXPR_EQ && !negated)
        unite(o, x, y);
    else if (op == TSL_EXPR_EQ)
        tsl_vec_push(&o->differ, (edge){x, y, true});
    else
        tsl_vec_push(&o->edges, (edge){x, y, op == TSL_EXPR_ULT || op == TSL_EXPR_SLT});
}

static void move_to_roots(const order *o, edge_vec *edges) {
    for (size_t i = 0; i < edges->len; i++) {
        edges->data[i].a = root(o, edges->data[i].a);
        edges->data[i].b = root(o, edges->data[i].b);
    }
}

static bool gather(order *o, tsl_query *q) {
    o->q = q;
    tsl_vec_clear(&o->nodes);
    tsl_vec_clear(&o->edges);
    tsl_vec_clear(&o->differ);
    for (size_t i = q->conds.len; i-- > 0;) {
        add(o, q->conds.data[i]);
        if (i >= q->held && o->nodes.len == 0)
            return false; // the goal is not such a comparison
        if (o->nodes.len > MOST_NODES || o->edges.len + o->differ.len > MOST_EDGES)
            return false;
    }
    move_to_roots(o, &o->edges);
    move_to_roots(o, &o->differ);
    return true;
}

// ---------------------------------------------------------------- bounds and values

// Moves bounds until they settle.  If they still move after one round per node, there is a cycle.
static bool settle(order *o) {
    for (size_t round = 0; round <= o->nodes.len; round++) {
        tsl_deadline_ask();
        bool moved = false;
        for (size_t i = 0; i < o->edges.len; i++) {
            const edge *e = &o->edges.data[i];
            node *a = &o->nodes.data[e->a], *b = &o->nodes.data[e->b];
            if (b->lower < a->lower + e->strict) {
                b->lower = a->lower + e->strict;
                moved = true;
            }
            if (a->upper > b->upper - e->strict) {
                a->upper = b->upper - e->strict;
                moved = true;
            }
        }
        if (!moved)
            return true;
    }
    return false;
}

static bool is_possible(const order *o) {
    for (uint32_t i = 0; i < o->nodes.len; i++)
        if (root(o, i) == i && o->nodes.data[i].lower > o->nodes.data[i].upper)
            return false;
    for (size_t i = 0; i < o->differ.len; i++) {
        const node *a = &o->nodes.data[o->differ.data[i].a],
                   *b = &o->nodes.data[o->differ.data[i].b];
        bool fixed = a->lower == a->upper && b->lower == b->upper && a->lower == b->lower;
        if (a == b || fixed)
            return false;
    }
    return true;
}

static void push_up(order *o) {
    for (bool moved = true; moved;) {
        tsl_deadline_ask();
        moved = false;
        for (size_t i = 0; i < o->edges.len; i++) {
            const edge *e = &o->edges.data[i];
            const node *a = &o->nodes.data[e->a];
            node *b = &o->nodes.data[e->b];
            if (b->value < a->value + e->strict) {
                b->value = a->value + e->strict;
                moved = true;
            }
        }
    }
}

static void choose_values(order *o) {
    for (size_t i = 0; i < o->nodes.len; i++) {
        node *n = &o->nodes.data[i];
        n->value = n->value < n->lower ? n->lower : n->value > n->upper ? n->upper : n->value;
    }
    push_up(o);
}

// Do the comparisons imply that `to` is at least `from`?
static bool leads(order *o, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < o->nodes.len; i++)
        o->nodes.data[i].reached = i == from;
    for (bool moved = true; moved && !o->nodes.data[to].reached;) {
        tsl_deadline_ask();
        moved = false;
        for (size_t i = 0; i < o->edges.len; i++) {
            const edge *e = &o->edges.data[i];
            if (o->nodes.data[e->a].reached && !o->nodes.data[e->b].reached)
                o->nodes.data[e->b].reached = moved = true;
        }
    }
    return o->nodes.data[to].reached;
}

static const edge *clash(const order *o) {
    for (size_t i = 0; i < o->differ.len; i++) {
        const edge *e = &o->differ.data[i];
        if (o->nodes.data[e->a].value == o->nodes.data[e->b].value)
            return e;
    }
    return NULL;
}

// If two nodes must differ and do not, one is put below the other.  Which one may follow from the
// comparisons.  If not, it is a guess, and a failure proves nothing.
static enum tsl_sat separate(order *o) {
    bool guessed = false;
    const edge *e;
    for (size_t round = 0; (e = clash(o)) != NULL; round++) {
        if (round > o->differ.len)
            return TSL_UNKNOWN;
        bool down = leads(o, e->b, e->a), up = leads(o, e->a, e->b);
        guessed |= !down && !up;
        uint32_t a = down ? e->b : e->a, b = down ? e->a : e->b;
        tsl_vec_push(&o->edges, (edge){a, b, true});
        if (!settle(o) || !is_possible(o))
            return guessed ? TSL_UNKNOWN : TSL_UNSAT;
        choose_values(o);
    }
    return TSL_SAT;
}

// ---------------------------------------------------------------- the link

static bool apply(order *o) {
    for (uint32_t i = 0; i < o->nodes.len; i++) {
        tsl_term t = o->nodes.data[i].t;
        tsl_value v =
            tsl_value_of((tsl_wide)o->nodes.data[root(o, i)].value, tsl_query_width(o->q, t));
        tsl_inverter_begin(&o->inverter);
        if (!tsl_inverter_propose(&o->inverter, o->q, t, v))
            return false;
    }
    return true;
}

static bool goal_is_signed(const tsl_query *q) {
    for (size_t i = q->conds.len; i-- > 0;) {
        enum tsl_expr_op op = tsl_term_op(q->terms, q->conds.data[i]);
        if (op >= TSL_EXPR_ULT && op <= TSL_EXPR_SLE)
            return op >= TSL_EXPR_SLT;
    }
    return false;
}

static enum tsl_sat solve(void *self, tsl_query *q) {
    order *o = self;
    o->is_signed = goal_is_signed(q);
    if (!gather(o, q))
        return TSL_UNKNOWN;
    if (!settle(o) || !is_possible(o))
        return TSL_UNSAT;
    choose_values(o);
    enum tsl_sat answer = separate(o);
    if (answer != TSL_SAT)
        return answer;
    return apply(o) && tsl_query_holds(q) ? TSL_SAT : TSL_UNKNOWN;
}

const tsl_link tsl_link_order = {.size = sizeof(order), .drop = drop, .solve = solve};
