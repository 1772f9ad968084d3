// Which variables does a term depend on?
//
// Only sets of conditions are asked for.  So a set is computed on request, from the sets of the
// nearest terms below that already have one: a checksum over n bytes that is asked about only at
// the end costs n, not n * n.  Equal sets are stored once.
#include <string.h>

#include "base/deadline.h"
#include "base/hash.h"
#include "expr/pool.h"

enum { FIRST_INDEX = 1 << 8 };

static const uint32_t *vars_of(const tsl_terms *p, uint32_t set) {
    return p->set_vars.data + p->sets.data[set].at;
}

static size_t place(const tsl_terms *p, const uint32_t *vars, uint32_t n) {
    size_t at = n ? (size_t)tsl_hash(vars, n * sizeof *vars) & (p->set_index_size - 1) : 0;
    for (; p->set_index[at]; at = (at + 1) & (p->set_index_size - 1)) {
        uint32_t set = p->set_index[at] - 1;
        if (p->sets.data[set].n == n &&
            (n == 0 || memcmp(vars_of(p, set), vars, n * sizeof *vars) == 0))
            break;
    }
    return at;
}

static void grow_index(tsl_terms *p) {
    tsl_free(p->set_index);
    p->set_index_size = p->set_index_size ? p->set_index_size * 2 : FIRST_INDEX;
    p->set_index = tsl_alloc_array(p->set_index_size, sizeof *p->set_index);
    for (size_t i = 0; i < p->sets.len; i++)
        p->set_index[place(p, vars_of(p, (uint32_t)i), p->sets.data[i].n)] = (uint32_t)i + 1;
}

static uint32_t intern(tsl_terms *p, const uint32_t *vars, uint32_t n) {
    if (p->sets.len * 2 >= p->set_index_size)
        grow_index(p);
    size_t at = place(p, vars, n);
    if (p->set_index[at])
        return p->set_index[at] - 1;
    tsl_vec_push(&p->sets, (tsl_varset_place){(uint32_t)p->set_vars.len, n});
    tsl_vec_append(&p->set_vars, vars, n);
    p->set_index[at] = (uint32_t)p->sets.len;
    return (uint32_t)p->sets.len - 1;
}

// ---------------------------------------------------------------- gathering

static void sort_unique(tsl_terms *p) {
    uint32_t *vars = p->gathered.data;
    size_t n = p->gathered.len, kept = 0;
    tsl_vec_sort(&p->gathered, tsl_vec_by_u32);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || vars[kept - 1] != vars[i])
            vars[kept++] = vars[i];
    p->gathered.len = kept;
}

static void visit(tsl_terms *p, uint32_t i) {
    const tsl_node *n = &p->nodes.data[i];
    if (n->op == TSL_EXPR_CONST || p->seen.data[i] == p->stamp)
        return;
    p->seen.data[i] = p->stamp;
    if (n->op == TSL_EXPR_INPUT)
        tsl_vec_push(&p->gathered, n->a);
    else if (n->vars)
        tsl_vec_append(&p->gathered, vars_of(p, n->vars - 1), p->sets.data[n->vars - 1].n);
    else
        tsl_vec_push(&p->todo, i);
}

static void gather(tsl_terms *p, uint32_t root) {
    tsl_vec_lengthen(&p->seen, p->nodes.len);
    p->stamp++;
    tsl_vec_clear(&p->todo);
    tsl_vec_clear(&p->gathered);
    visit(p, root);
    while (p->todo.len) {
        tsl_deadline_ask();
        const tsl_node n = p->nodes.data[tsl_vec_pop(&p->todo)];
        unsigned arity = tsl_expr_arity[n.op];
        visit(p, n.a);
        if (arity > 1)
            visit(p, n.b);
        if (arity > 2)
            visit(p, n.c);
    }
    sort_unique(p);
}

tsl_varset tsl_term_vars(tsl_terms *p, tsl_term t) {
    const tsl_node *n = tsl_node_of(p, t);
    if (!n->vars) {
        gather(p, t.i);
        p->nodes.data[t.i].vars = intern(p, p->gathered.data, (uint32_t)p->gathered.len) + 1;
    }
    uint32_t set = n->vars - 1;
    return (tsl_varset){vars_of(p, set), p->sets.data[set].n};
}

void tsl_varsets_drop(tsl_terms *p) {
    tsl_vec_drop(&p->set_vars);
    tsl_vec_drop(&p->sets);
    tsl_free(p->set_index);
    tsl_vec_drop(&p->seen);
    tsl_vec_drop(&p->todo);
    tsl_vec_drop(&p->gathered);
}
