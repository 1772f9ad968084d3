// The pool of terms, which has every term once; see term.h.
#include "expr/term.h"

#include <string.h>

#include "base/hash.h"
#include "expr/rule.h"

enum { FIRST_INDEX = 1 << 10, MOST_DEPTH = 200 };

const uint8_t tsl_expr_arity[TSL_EXPR_COUNT] = {
#define TSL_EXPR(name, text, operands, doc) [TSL_EXPR_##name] = operands,
#include "abi/exprs.def"
#undef TSL_EXPR
};

tsl_terms *tsl_terms_new(void) {
    tsl_terms *p = tsl_alloc(sizeof *p);
    tsl_vec_push(&p->nodes, (tsl_node){0});
    tsl_vec_push(&p->highs, 0);
    p->index_size = FIRST_INDEX;
    p->index = tsl_alloc_array(p->index_size, sizeof *p->index);
    return p;
}

void tsl_terms_free(tsl_terms *p) {
    if (!p)
        return;
    for (size_t i = 0; i < p->tables.len; i++)
        tsl_free(p->tables.data[i].bytes);
    tsl_vec_drop(&p->tables);
    tsl_vec_drop(&p->nodes);
    tsl_vec_drop(&p->highs);
    tsl_vec_drop(&p->var_terms);
    tsl_varsets_drop(p);
    tsl_free(p->index);
    tsl_free(p);
}

// ---------------------------------------------------------------- one node each

// Constants are compared by their high bits, not by the place where these are kept.
static uint64_t third(const tsl_terms *p, const tsl_node *n) {
    return n->op == TSL_EXPR_CONST ? p->highs.data[n->c] : n->c;
}

static uint64_t hash_of(const tsl_node *n, uint64_t c) {
    uint64_t head = (uint64_t)n->op << 24 | (uint64_t)n->width << 16 | n->extra;
    return tsl_hash_mix(tsl_hash_mix(head, (uint64_t)n->b << 32 | n->a), c);
}

static bool is_same(const tsl_terms *p, const tsl_node *n, const tsl_node *m, uint64_t c) {
    return n->op == m->op && n->width == m->width && n->extra == m->extra && n->a == m->a &&
           n->b == m->b && third(p, n) == c;
}

static size_t place(const tsl_terms *p, const tsl_node *n, uint64_t c) {
    size_t at = (size_t)hash_of(n, c) & (p->index_size - 1);
    while (p->index[at] && !is_same(p, &p->nodes.data[p->index[at]], n, c))
        at = (at + 1) & (p->index_size - 1);
    return at;
}

static void grow_index(tsl_terms *p) {
    tsl_free(p->index);
    p->index_size *= 2;
    p->index = tsl_alloc_array(p->index_size, sizeof *p->index);
    for (size_t i = 1; i < p->nodes.len; i++) {
        const tsl_node *n = &p->nodes.data[i];
        size_t at = (size_t)hash_of(n, third(p, n)) & (p->index_size - 1);
        while (p->index[at])
            at = (at + 1) & (p->index_size - 1);
        p->index[at] = (uint32_t)i;
    }
}

static tsl_term add_node(tsl_terms *p, const tsl_node *n, size_t at) {
    TSL_BUG_ON(p->nodes.len >= UINT32_MAX, "too many terms");
    p->index[at] = (uint32_t)p->nodes.len;
    tsl_vec_push(&p->nodes, *n);
    if (p->nodes.len * 2 > p->index_size)
        grow_index(p);
    return (tsl_term){(uint32_t)p->nodes.len - 1};
}

tsl_term tsl_node_intern(tsl_terms *p, unsigned op, unsigned width, unsigned extra, uint32_t a,
                         uint32_t b, uint32_t c) {
    tsl_node n = {(uint8_t)op, (uint8_t)width, (uint16_t)extra, a, b, c, 0};
    size_t at = place(p, &n, c);
    if (!p->index[at])
        return add_node(p, &n, at);
    return (tsl_term){p->index[at]};
}

// ---------------------------------------------------------------- leaves

tsl_term tsl_term_const(tsl_terms *p, unsigned width, tsl_value v) {
    TSL_BUG_ON(width < 1 || width > TSL_MOST_BITS, "a constant of %u bits", width);
    v = tsl_value_of(tsl_wide_of(v), width);
    tsl_node n = {TSL_EXPR_CONST, (uint8_t)width, 0, (uint32_t)v.lo, (uint32_t)(v.lo >> 32), 0, 0};
    size_t at = place(p, &n, v.hi);
    if (p->index[at])
        return (tsl_term){p->index[at]};
    if (v.hi) {
        n.c = (uint32_t)p->highs.len;
        tsl_vec_push(&p->highs, v.hi);
    }
    return add_node(p, &n, at);
}

tsl_term tsl_term_bool(tsl_terms *p, bool b) { return tsl_term_const(p, 1, (tsl_value){b, 0}); }

tsl_term tsl_term_var(tsl_terms *p, uint32_t var, unsigned width) {
    TSL_BUG_ON(width < 1 || width > TSL_MOST_BITS, "a variable of %u bits", width);
    tsl_vec_lengthen(&p->var_terms, var + 1);
    uint32_t *slot = &p->var_terms.data[var];
    if (!*slot)
        *slot = tsl_node_intern(p, TSL_EXPR_INPUT, width, 0, var, 0, 0).i;
    TSL_BUG_ON(p->nodes.data[*slot].width != width, "variable %u has %u bits, not %u", var,
               p->nodes.data[*slot].width, width);
    return (tsl_term){*slot};
}

// ---------------------------------------------------------------- tables

static uint32_t intern_table(tsl_terms *p, unsigned elem_bytes, const void *bytes, uint32_t n) {
    size_t size = (size_t)n * elem_bytes;
    uint64_t hash = tsl_hash_u64(tsl_hash(bytes, size), elem_bytes);
    for (size_t i = 0; i < p->tables.len; i++) {
        const tsl_table *t = &p->tables.data[i];
        if (t->hash == hash && t->n == n && t->elem_bytes == elem_bytes &&
            memcmp(t->bytes, bytes, size) == 0)
            return (uint32_t)i;
    }
    tsl_table fresh = {n, elem_bytes, hash, tsl_alloc(size)};
    memcpy(fresh.bytes, bytes, size);
    tsl_vec_push(&p->tables, fresh);
    return (uint32_t)p->tables.len - 1;
}

tsl_value tsl_table_at(const tsl_table *table, uint32_t i) {
    tsl_value v = {0};
    if (i < table->n)
        memcpy(&v, table->bytes + (size_t)i * table->elem_bytes, table->elem_bytes);
    return v;
}

tsl_term tsl_term_lookup(tsl_terms *p, unsigned elem_bytes, const void *table, uint32_t n,
                         tsl_term index) {
    TSL_BUG_ON(elem_bytes < 1 || elem_bytes > 16 || n < 1, "%u elements of %u bytes", n,
               elem_bytes);
    return tsl_rule_lookup(p, intern_table(p, elem_bytes, table, n), index);
}

// ---------------------------------------------------------------- operators

static bool is_term(const tsl_terms *p, tsl_term t) { return t.i > 0 && t.i < p->nodes.len; }

bool tsl_term_may_make(const tsl_terms *p, enum tsl_expr_op op, unsigned width, unsigned extra,
                       tsl_term a, tsl_term b, tsl_term c) {
    if (op < TSL_EXPR_NOT || op >= TSL_EXPR_LOOKUP || width < 1 || width > TSL_MOST_BITS)
        return false;
    unsigned arity = tsl_expr_arity[op];
    if (!is_term(p, a) || (arity > 1 && !is_term(p, b)) || (arity > 2 && !is_term(p, c)))
        return false;
    unsigned wa = tsl_term_width(p, a), wb = arity > 1 ? tsl_term_width(p, b) : 0;
    switch (op) {
    case TSL_EXPR_EQ:
    case TSL_EXPR_ULT:
    case TSL_EXPR_ULE:
    case TSL_EXPR_SLT:
    case TSL_EXPR_SLE:
        return width == 1 && wa == wb;
    case TSL_EXPR_CONCAT:
        return wa + wb == width;
    case TSL_EXPR_EXTRACT:
        return extra + width <= wa;
    case TSL_EXPR_ZEXT:
    case TSL_EXPR_SEXT:
        return wa < width;
    case TSL_EXPR_ITE:
        return wa == 1 && wb == width && tsl_term_width(p, c) == width;
    default:
        return wa == width && (arity == 1 || wb == width);
    }
}

static bool fold(tsl_terms *p, const tsl_making *m, tsl_term *out) {
    const tsl_node *nodes = p->nodes.data, *a = &nodes[m->a.i], *b = &nodes[m->b.i],
                   *c = &nodes[m->c.i];
    if (a->op != TSL_EXPR_CONST || (m->b.i && b->op != TSL_EXPR_CONST) ||
        (m->c.i && c->op != TSL_EXPR_CONST))
        return false;
    tsl_apply x = {.op = m->op, .width = m->width, .extra = m->extra};
    x.a_width = a->width;
    x.b_width = b->width;
    x.a = tsl_node_value(p, a);
    x.b = tsl_node_value(p, b);
    x.c = tsl_node_value(p, c);
    *out = tsl_term_const(p, m->width, tsl_value_apply(&x));
    return true;
}

tsl_term tsl_term_make(tsl_terms *p, enum tsl_expr_op op, unsigned width, unsigned extra,
                       tsl_term a, tsl_term b, tsl_term c) {
    TSL_BUG_ON(!tsl_term_may_make(p, op, width, extra, a, b, c),
               "operator %d of %u bits with terms %u, %u, %u", op, width, a.i, b.i, c.i);
    tsl_making m = {op, width, op == TSL_EXPR_EXTRACT ? extra : 0, a, {0}, {0}};
    if (tsl_expr_arity[op] > 1)
        m.b = b;
    if (tsl_expr_arity[op] > 2)
        m.c = c;
    tsl_term out = {0};
    if (fold(p, &m, &out))
        return out;
    // Rules only save work: where they nest too deeply, the plain term is good enough.
    if (p->depth < MOST_DEPTH) {
        p->depth++;
        out = tsl_rule_apply(p, &m);
        p->depth--;
    }
    return out.i ? out : tsl_node_intern(p, m.op, m.width, m.extra, m.a.i, m.b.i, m.c.i);
}

tsl_term tsl_term_rebuild(tsl_terms *p, tsl_term t, tsl_term a, tsl_term b, tsl_term c) {
    const tsl_node n = *tsl_node_of(p, t);
    if (n.op == TSL_EXPR_LOOKUP)
        return tsl_rule_lookup(p, n.b, a);
    return tsl_term_make(p, n.op, n.width, n.extra, a, b, c);
}

tsl_term tsl_term_not(tsl_terms *p, tsl_term cond) {
    TSL_BUG_ON(tsl_term_width(p, cond) != 1, "term %u is no condition", cond.i);
    return tsl_term_make(p, TSL_EXPR_NOT, 1, 0, cond, (tsl_term){0}, (tsl_term){0});
}

tsl_term tsl_term_binary(tsl_terms *p, enum tsl_expr_op op, tsl_term a, tsl_term b) {
    unsigned width = tsl_term_width(p, a);
    if (op >= TSL_EXPR_EQ && op <= TSL_EXPR_SLE)
        width = 1;
    else if (op == TSL_EXPR_CONCAT)
        width += tsl_term_width(p, b);
    return tsl_term_make(p, op, width, 0, a, b, (tsl_term){0});
}

tsl_term tsl_term_extract(tsl_terms *p, tsl_term a, unsigned from, unsigned width) {
    return tsl_term_make(p, TSL_EXPR_EXTRACT, width, from, a, (tsl_term){0}, (tsl_term){0});
}

// ---------------------------------------------------------------- looking

enum tsl_expr_op tsl_term_op(const tsl_terms *p, tsl_term t) { return tsl_node_of(p, t)->op; }
unsigned tsl_term_width(const tsl_terms *p, tsl_term t) { return tsl_node_of(p, t)->width; }
unsigned tsl_term_extra(const tsl_terms *p, tsl_term t) { return tsl_node_of(p, t)->extra; }
unsigned tsl_term_arity(const tsl_terms *p, tsl_term t) {
    return tsl_expr_arity[tsl_node_of(p, t)->op];
}

tsl_term tsl_term_operand(const tsl_terms *p, tsl_term t, unsigned i) {
    const tsl_node *n = tsl_node_of(p, t);
    if (i >= tsl_expr_arity[n->op])
        return (tsl_term){0};
    return (tsl_term){i == 0 ? n->a : i == 1 ? n->b : n->c};
}

uint32_t tsl_term_variable(const tsl_terms *p, tsl_term t) {
    const tsl_node *n = tsl_node_of(p, t);
    TSL_BUG_ON(n->op != TSL_EXPR_INPUT, "term %u is no variable", t.i);
    return n->a;
}

bool tsl_term_is_const(const tsl_terms *p, tsl_term t) {
    return tsl_node_of(p, t)->op == TSL_EXPR_CONST;
}

tsl_value tsl_term_value(const tsl_terms *p, tsl_term t) {
    const tsl_node *n = tsl_node_of(p, t);
    TSL_BUG_ON(n->op != TSL_EXPR_CONST, "term %u is no constant", t.i);
    return tsl_node_value(p, n);
}

static const tsl_table *table_of(const tsl_terms *p, tsl_term t) {
    const tsl_node *n = tsl_node_of(p, t);
    TSL_BUG_ON(n->op != TSL_EXPR_LOOKUP, "term %u has no table", t.i);
    return &p->tables.data[n->b];
}

uint32_t tsl_term_table_len(const tsl_terms *p, tsl_term t) { return table_of(p, t)->n; }

tsl_value tsl_term_table_at(const tsl_terms *p, tsl_term t, uint32_t i) {
    return tsl_table_at(table_of(p, t), i);
}

unsigned tsl_terms_var_width(const tsl_terms *p, uint32_t var) {
    return var < p->var_terms.len ? p->nodes.data[p->var_terms.data[var]].width : 0;
}

size_t tsl_terms_count(const tsl_terms *p) { return p->nodes.len; }
