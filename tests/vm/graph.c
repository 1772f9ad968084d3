// All states; see graph.h.
#include "vm/graph.h"

#include <string.h>

#include "base/mem.h"
#include "base/set.h"
#include "vm/effect.h"

typedef struct node {
    tsl_vm_machine *m; // without room for expressions
    uint32_t next[TSL_VM_THREADS];
    uint8_t nnext;
    bool quiet; // nothing changes after it, as far as is known
} node;

typedef struct graph {
    TSL_VEC(node) nodes;
    TSL_VEC(uint64_t) keys;
    uint32_t *table; // index + 1, by key
    size_t size;
    tsl_events events;
} graph;

static uint32_t *find(graph *g, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (g->size - 1);
    while (g->table[at] && g->keys.data[g->table[at] - 1] != key)
        at = (at + 1) & (g->size - 1);
    return &g->table[at];
}

static uint32_t add(graph *g, const tsl_vm_machine *m) {
    uint64_t key = tsl_vm_state(m);
    uint32_t *at = find(g, key);
    if (*at)
        return *at - 1;
    *at = (uint32_t)g->nodes.len + 1;
    node n = {.quiet = true};
    n.m = tsl_alloc(offsetof(tsl_vm_machine, symbols.nodes) + sizeof *m->symbols.nodes);
    tsl_vm_copy(n.m, m);
    tsl_vec_push(&g->nodes, n);
    tsl_vec_push(&g->keys, key);
    return *at - 1;
}

static void expand(graph *g, uint32_t at) {
    for (unsigned t = 0; t < g->nodes.data[at].m->program->nthreads; t++) {
        tsl_vm_machine m;
        tsl_vm_copy(&m, g->nodes.data[at].m);
        if (m.outcome || !tsl_vm_is_enabled(&m, t))
            continue;
        tsl_vec_clear(&g->events);
        tsl_vm_execute(&m, t, 0, &g->events);
        uint32_t next = add(g, &m);
        node *n = &g->nodes.data[at];
        n->next[n->nnext++] = next;
    }
}

static bool is_at_exit(const tsl_vm_machine *m) {
    return m->threads[0].phase == TSL_VM_AT_CODE && tsl_vm_at_end(m, 0);
}

static bool keeps_quiet(const graph *g, const node *n) {
    if (n->m->outcome)
        return false;
    for (unsigned i = 0; i < n->nnext; i++) {
        const node *next = &g->nodes.data[n->next[i]];
        if (!next->quiet || tsl_vm_outline(next->m) != tsl_vm_outline(n->m) ||
            is_at_exit(next->m) != is_at_exit(n->m))
            return false;
    }
    return true;
}

static void find_quiet(graph *g) {
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < g->nodes.len; i++) {
            node *n = &g->nodes.data[i];
            if (n->quiet && !keeps_quiet(g, n))
                n->quiet = false, more = true;
        }
    }
}

static void tell(const node *n, tsl_vm_hashes *out) {
    tsl_vm_machine m;
    if (!n->m->outcome && !n->quiet)
        return;
    tsl_vm_copy(&m, n->m);
    if (!m.outcome && is_at_exit(&m)) {
        m.threads[0].phase = TSL_VM_ENDED;
        m.outcome = TSL_OUT_OK;
    } else if (!m.outcome)
        m.outcome = TSL_OUT_LIVELOCK;
    tsl_vec_push(out, tsl_vm_outline(&m));
}

bool tsl_vm_graph_ends(const tsl_vm_program *program, size_t limit, tsl_vm_hashes *out) {
    graph g = {.size = 16};
    while (g.size < 4 * limit)
        g.size *= 2;
    g.table = tsl_alloc(g.size * sizeof *g.table);
    tsl_vm_machine m;
    tsl_vm_begin(&m, program, false, NULL, &g.events);
    m.spinning = TSL_VM_SPIN_RUNS;
    add(&g, &m);
    for (uint32_t i = 0; i < g.nodes.len && g.nodes.len <= limit; i++)
        expand(&g, i);
    bool ok = g.nodes.len <= limit;
    if (ok) {
        find_quiet(&g);
        for (size_t i = 0; i < g.nodes.len; i++)
            tell(&g.nodes.data[i], out);
        tsl_vm_hashes_tidy(out);
    }
    for (size_t i = 0; i < g.nodes.len; i++)
        tsl_free(g.nodes.data[i].m);
    tsl_vec_drop(&g.nodes);
    tsl_vec_drop(&g.keys);
    tsl_vec_drop(&g.events);
    tsl_free(g.table);
    return ok;
}
