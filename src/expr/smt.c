// Prints conditions as an SMT-LIB script; see print.h.
//
// All terms are bit-vectors, including conditions: every comparison is turned into #b1 or #b0, so
// that no node has two sorts.
#include "expr/pool.h"
#include "expr/print.h"

static const char *const names[TSL_EXPR_COUNT] = {
#define TSL_EXPR(name, text, operands, doc) [TSL_EXPR_##name] = text,
#include "abi/exprs.def"
#undef TSL_EXPR
};

static void put_value(tsl_buf *out, tsl_value v, unsigned width) {
    tsl_buf_puts(out, "#b");
    for (unsigned i = width; i-- > 0;)
        tsl_buf_putc(out, (tsl_wide_of(v) >> i & 1) ? '1' : '0');
}

static void put_ref(const tsl_terms *p, uint32_t i, tsl_buf *out) {
    const tsl_node *n = &p->nodes.data[i];
    if (n->op == TSL_EXPR_CONST)
        put_value(out, tsl_node_value(p, n), n->width);
    else
        tsl_buf_add(out, n->op == TSL_EXPR_INPUT ? "v%u" : "t%u",
                    n->op == TSL_EXPR_INPUT ? n->a : i);
}

// Prints the table as nested ites, one per element.
static void put_lookup(const tsl_terms *p, const tsl_node *n, tsl_buf *out) {
    const tsl_table *t = &p->tables.data[n->b];
    unsigned index_width = p->nodes.data[n->a].width;
    tsl_wide last = tsl_wide_ones(index_width);
    uint32_t count = last < t->n - 1 ? (uint32_t)last + 1 : t->n;
    for (uint32_t i = 0; i < count; i++) {
        tsl_buf_puts(out, "(ite (= ");
        put_ref(p, n->a, out);
        tsl_buf_putc(out, ' ');
        put_value(out, (tsl_value){i, 0}, index_width);
        tsl_buf_puts(out, ") ");
        put_value(out, tsl_table_at(t, i), n->width);
        tsl_buf_putc(out, ' ');
    }
    put_value(out, (tsl_value){0}, n->width);
    for (uint32_t i = 0; i < count; i++)
        tsl_buf_putc(out, ')');
}

static void put_operator(const tsl_terms *p, const tsl_node *n, tsl_buf *out) {
    const uint32_t operands[] = {n->a, n->b, n->c};
    unsigned inner = p->nodes.data[n->a].width;
    bool compares = n->op >= TSL_EXPR_EQ && n->op <= TSL_EXPR_SLE;
    if (compares)
        tsl_buf_puts(out, "(ite ");
    if (n->op == TSL_EXPR_EXTRACT)
        tsl_buf_add(out, "((_ extract %u %u)", n->extra + n->width - 1u, n->extra);
    else if (n->op == TSL_EXPR_ZEXT || n->op == TSL_EXPR_SEXT)
        tsl_buf_add(out, "((_ %s_extend %u)", n->op == TSL_EXPR_ZEXT ? "zero" : "sign",
                    n->width - inner);
    else
        tsl_buf_add(out, "(%s", names[n->op]);
    for (unsigned k = 0; k < tsl_expr_arity[n->op]; k++) {
        bool is_cond = n->op == TSL_EXPR_ITE && k == 0;
        tsl_buf_puts(out, is_cond ? " (= " : " ");
        put_ref(p, operands[k], out);
        tsl_buf_puts(out, is_cond ? " #b1)" : "");
    }
    tsl_buf_puts(out, compares ? ") #b1 #b0)" : ")");
}

static void define(const tsl_terms *p, uint32_t i, const tsl_vars *vars, tsl_buf *out) {
    const tsl_node *n = &p->nodes.data[i];
    if (n->op == TSL_EXPR_CONST)
        return;
    if (n->op == TSL_EXPR_INPUT) {
        tsl_buf_add(out, "(declare-const v%u (_ BitVec %u))", n->a, n->width);
        if (vars && n->a < vars->vars.len) {
            tsl_buf_puts(out, " ; ");
            tsl_var_print(vars, n->a, out);
        }
        tsl_buf_putc(out, '\n');
        return;
    }
    tsl_buf_add(out, "(define-fun t%u () (_ BitVec %u) ", i, n->width);
    if (n->op == TSL_EXPR_LOOKUP)
        put_lookup(p, n, out);
    else
        put_operator(p, n, out);
    tsl_buf_puts(out, ")\n");
}

// Operands have smaller numbers than the terms that use them: one pass down marks the terms that
// are used, and one pass up defines them.
void tsl_print_smt(const tsl_terms *p, const tsl_term *conds, size_t n, const tsl_vars *vars,
                   const char *status, tsl_buf *out) {
    uint8_t *used = tsl_alloc(p->nodes.len);
    for (size_t i = 0; i < n; i++)
        used[conds[i].i] = 1;
    for (size_t i = p->nodes.len; i-- > 1;) {
        const tsl_node *x = &p->nodes.data[i];
        unsigned arity = used[i] ? tsl_expr_arity[x->op] : 0;
        if (arity > 0)
            used[x->a] = 1;
        if (arity > 1)
            used[x->b] = 1;
        if (arity > 2)
            used[x->c] = 1;
    }
    tsl_buf_puts(out, "(set-logic QF_BV)\n");
    if (status)
        tsl_buf_add(out, "(set-info :status %s)\n", status);
    for (uint32_t i = 1; i < p->nodes.len; i++)
        if (used[i])
            define(p, i, vars, out);
    for (size_t i = 0; i < n; i++) {
        tsl_buf_puts(out, "(assert (= ");
        put_ref(p, conds[i].i, out);
        tsl_buf_puts(out, " #b1))\n");
    }
    tsl_buf_puts(out, "(check-sat)\n");
    tsl_free(used);
}
