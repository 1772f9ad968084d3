// Was this question answered before?
//
// Runs of a campaign share most of their paths, so the same slice comes back between other
// conditions.  There are three memories (KLEE calls the last two its counterexample cache):
//
//     exact      the same set of conditions has the same answer, with the same values
//     unsat      a set with a known unsatisfiable subset is unsatisfiable
//     models     values that solved a recent question may solve this one, too
//
// Each is bounded; old entries are forgotten.
#include <string.h>

#include "base/hash.h"
#include "solve/link.h"

enum {
    ENTRIES = 1 << 14, // exact answers
    MODELS = 8,        // recent models that are tried
    SUBSETS = 8,       // unsat sets remembered for one condition of the goal
    MOST_CONDS = 64,   // sets with more conditions are not worth their memory
    MOST_VARS = 256,   // nor are sets with more variables
    GOALS = 1 << 12    // conditions for which unsat sets are remembered
};

typedef struct value_of {
    uint32_t var;
    tsl_value value;
} value_of;

// The conditions, in ascending order, and the answer.
typedef struct entry {
    uint64_t hash;
    uint32_t *conds;
    value_of *values;
    uint32_t n, nvalues;
    enum tsl_sat answer;
} entry;

typedef struct subsets {
    uint32_t goal; // a condition
    uint32_t next; // the next set is stored in sets[next % SUBSETS]
    entry *sets[SUBSETS];
} subsets;

typedef struct cache {
    entry *entries[ENTRIES]; // by hash; a new entry replaces an old one
    subsets goals[GOALS];    // by goal, likewise; `entries` owns the sets
    entry *models[MODELS];   // the last entries that were satisfiable
    unsigned next_model;
    tsl_u32_vec key;
} cache;

// ---------------------------------------------------------------- entries

static void free_entry(entry *e) {
    if (!e)
        return;
    tsl_free(e->conds);
    tsl_free(e->values);
    tsl_free(e);
}

static void drop(void *self) {
    cache *c = self;
    for (size_t i = 0; i < ENTRIES; i++)
        free_entry(c->entries[i]);
    tsl_vec_drop(&c->key);
}

static uint64_t make_key(cache *c, const tsl_query *q) {
    tsl_vec_clear(&c->key);
    for (size_t i = 0; i < q->conds.len; i++)
        tsl_vec_push(&c->key, q->conds.data[i].i);
    tsl_vec_sort(&c->key, tsl_vec_by_u32);
    return tsl_hash(c->key.data, c->key.len * sizeof *c->key.data);
}

static bool is_same(const entry *e, uint64_t hash, const tsl_u32_vec *key) {
    return e && e->hash == hash && e->n == key->len &&
           memcmp(e->conds, key->data, key->len * sizeof *key->data) == 0;
}

// Frees an entry and removes all pointers to it.
static void forget(cache *c, entry *e) {
    if (!e)
        return;
    for (unsigned i = 0; i < MODELS; i++)
        if (c->models[i] == e)
            c->models[i] = NULL;
    for (uint32_t i = 0; e->answer == TSL_UNSAT && i < e->n; i++) {
        subsets *s = &c->goals[e->conds[i] % GOALS];
        for (unsigned k = 0; k < SUBSETS; k++)
            if (s->sets[k] == e)
                s->sets[k] = NULL;
    }
    free_entry(e);
}

// ---------------------------------------------------------------- asking

static bool try_values(const entry *e, tsl_query *q) {
    for (uint32_t i = 0; i < e->nvalues; i++)
        if (tsl_query_has_var(q, e->values[i].var))
            tsl_query_set(q, e->values[i].var, e->values[i].value);
    if (q->changes.len && tsl_query_holds(q))
        return true;
    tsl_query_undo(q, 0);
    return false;
}

static bool is_subset(const entry *e, const tsl_query *q) {
    for (uint32_t i = 0; i < e->n; i++)
        if (!tsl_query_has(q, (tsl_term){e->conds[i]}))
            return false;
    return true;
}

static bool has_unsat_subset(const cache *c, const tsl_query *q) {
    for (size_t i = q->held; i < q->conds.len; i++) {
        const subsets *s = &c->goals[q->conds.data[i].i % GOALS];
        for (unsigned k = 0; s->goal == q->conds.data[i].i && k < SUBSETS; k++)
            if (s->sets[k] && is_subset(s->sets[k], q))
                return true;
    }
    return false;
}

static enum tsl_sat solve(void *self, tsl_query *q) {
    cache *c = self;
    if (q->conds.len <= MOST_CONDS) {
        uint64_t hash = make_key(c, q);
        const entry *e = c->entries[hash % ENTRIES];
        if (is_same(e, hash, &c->key)) {
            if (e->answer == TSL_UNSAT)
                return TSL_UNSAT;
            if (try_values(e, q))
                return TSL_SAT;
        }
    }
    if (has_unsat_subset(c, q))
        return TSL_UNSAT;
    for (unsigned i = 0; i < MODELS; i++) {
        const entry *e = c->models[(c->next_model + MODELS - 1 - i) % MODELS];
        if (e && try_values(e, q))
            return TSL_SAT;
    }
    return TSL_UNKNOWN;
}

// ---------------------------------------------------------------- learning

static void note_unsat(cache *c, entry *e, const tsl_query *q) {
    for (size_t i = q->held; i < q->conds.len; i++) {
        subsets *s = &c->goals[q->conds.data[i].i % GOALS];
        if (s->goal != q->conds.data[i].i)
            *s = (subsets){.goal = q->conds.data[i].i};
        s->sets[s->next++ % SUBSETS] = e;
    }
}

static void learn(void *self, const tsl_query *q, enum tsl_sat answer) {
    cache *c = self;
    if (answer == TSL_UNKNOWN || q->conds.len > MOST_CONDS || q->vars.len > MOST_VARS)
        return;
    uint64_t hash = make_key(c, q);
    entry **slot = &c->entries[hash % ENTRIES];
    forget(c, *slot);
    entry *e = *slot = tsl_alloc(sizeof *e);
    *e = (entry){.hash = hash, .n = (uint32_t)c->key.len, .answer = answer};
    e->conds = tsl_alloc_array(e->n, sizeof *e->conds);
    memcpy(e->conds, c->key.data, e->n * sizeof *e->conds);
    if (answer == TSL_UNSAT) {
        note_unsat(c, e, q);
        return;
    }
    e->values = tsl_alloc_array(q->vars.len, sizeof *e->values);
    for (size_t i = 0; i < q->vars.len; i++)
        e->values[e->nvalues++] = (value_of){q->vars.data[i], q->model->data[q->vars.data[i]]};
    c->models[c->next_model++ % MODELS] = e;
}

const tsl_link tsl_link_cache = {
    .size = sizeof(cache), .drop = drop, .solve = solve, .learn = learn};
