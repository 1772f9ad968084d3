#include "oracle/exact.h"

#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "vm/naive.h"

enum { DRAWS = 40, NONE = 255, CANONS = 4096 };

// Draws of priorities differ far more often than the runs they lead to: canonical forms of late.
typedef struct canon_cache {
    uint64_t events[CANONS], canon[CANONS]; // hash of the events; 0: free
} canon_cache;

typedef struct search {
    const tsl_vm_program *program;
    const tsl_plan *plan;
    tsl_exact *out;
    tsl_events events;
    canon_cache cache;
} search;

// Priorities drawn so far, lowest first, as numbers of draws; those of steps that are gone stay,
// because what was learned from comparing with them stays true.
typedef struct ranking {
    uint8_t order[DRAWS], n;
    uint8_t of[TSL_VM_THREADS]; // the thread's draw, or NONE
} ranking;

typedef struct state {
    tsl_vm_machine m;
    double p;
    size_t nevents;
    uint64_t picks;
    ranking r;
    uint64_t weight[TSL_VM_THREADS];
    unsigned chosen; // surw, or NONE
    uint64_t changes[4];
    bool joins_steps; // rapos
} state;

// ---------------------------------------------------------------- running

static unsigned index_of(const tsl_vm_program *p, unsigned number) {
    for (unsigned t = 0; t < p->nthreads; t++)
        if (p->threads[t].number == number)
            return t;
    return NONE;
}

static uint64_t given_weight(const search *s, unsigned t) {
    for (size_t i = 0; i < s->plan->weights.len; i++)
        if (s->plan->weights.data[i].thread == s->program->threads[t].number)
            return s->plan->weights.data[i].weight;
    return 0;
}

static void execute(search *s, state *at, unsigned t) {
    s->events.len = at->nevents;
    tsl_vm_step step = tsl_vm_pending(&at->m, t);
    tsl_vm_execute(&at->m, t, 0, &s->events);
    if (step.kind == TSL_EV_CREATE) {
        unsigned child = index_of(s->program, s->events.data[at->nevents].res);
        at->weight[child] = given_weight(s, child);
        at->weight[t] -= at->weight[child] < at->weight[t] ? at->weight[child] : at->weight[t];
        at->r.of[child] = NONE;
    }
    at->nevents = s->events.len;
}

static uint64_t canon_of(search *s) {
    static tsl_trace_head head; // a third of a megabyte
    tsl_trace trace = {.head = &head, .events = s->events.data, .nevents = s->events.len};
    uint64_t hash = tsl_hash(s->events.data, s->events.len * sizeof *s->events.data);
    size_t slot = hash % CANONS;
    if (s->cache.events[slot] != hash) {
        s->cache.events[slot] = hash;
        s->cache.canon[slot] = tsl_naive_canon(&trace);
    }
    return s->cache.canon[slot];
}

static void add_order(search *s, const state *at) {
    s->events.len = at->nevents;
    uint64_t canon = canon_of(s);
    bool shows = at->m.words[3] == 1;
    s->out->shows += shows ? at->p : 0;
    for (size_t i = 0; i < s->out->orders.len; i++)
        if (s->out->orders.data[i].canon == canon) {
            s->out->orders.data[i].p += at->p;
            return;
        }
    tsl_vec_push(&s->out->orders, ((tsl_exact_order){canon, at->p, shows}));
}

// In the order of their numbers.
static unsigned enabled(const state *at, unsigned *out) {
    unsigned n = 0;
    for (unsigned t = 0; t < at->m.program->nthreads; t++)
        if (tsl_vm_is_enabled(&at->m, t))
            out[n++] = t;
    for (unsigned i = 1; i < n; i++)
        for (unsigned k = i; k > 0 && at->m.program->threads[out[k - 1]].number >
                                          at->m.program->threads[out[k]].number;
             k--) {
            unsigned swap = out[k];
            out[k] = out[k - 1];
            out[k - 1] = swap;
        }
    return n;
}

static bool reads(tsl_vm_step a) { return a.kind == TSL_EV_READ || a.kind == TSL_EV_AREAD; }

static bool writes(tsl_vm_step a) { return a.kind == TSL_EV_WRITE || a.kind == TSL_EV_AWRITE; }

// Of programs that have reads, writes, locks, thread creation and joining only.
static bool dependent(unsigned t, tsl_vm_step a, unsigned u, tsl_vm_step b) {
    if (t == u)
        return true;
    bool a_is_memory = reads(a) || writes(a), b_is_memory = reads(b) || writes(b);
    if (a_is_memory && b_is_memory)
        return a.addr == b.addr && (writes(a) || writes(b));
    if (a_is_memory || b_is_memory || a.kind == TSL_EV_START || b.kind == TSL_EV_START ||
        a.kind == TSL_EV_EXIT || b.kind == TSL_EV_EXIT)
        return false;
    return a.addr == b.addr && !(a.kind == TSL_EV_END && b.kind == TSL_EV_END);
}

static tsl_vm_step next_of(const state *at, unsigned t) { return tsl_vm_pending(&at->m, t); }

// ---------------------------------------------------------------- random walk

static void walk(search *s, const state *at) {
    unsigned who[TSL_VM_THREADS], n = enabled(at, who);
    if (at->m.outcome) {
        add_order(s, at);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        state next = *at;
        next.p /= n;
        execute(s, &next, who[i]);
        walk(s, &next);
    }
}

// ---------------------------------------------------------------- rapos

typedef struct round {
    unsigned thread[TSL_VM_THREADS], n;
    tsl_vm_step step[TSL_VM_THREADS];
} round;

static void add(round *r, const state *at, unsigned t) {
    r->thread[r->n] = t;
    r->step[r->n++] = next_of(at, t);
}

static bool depends_on(const round *r, const state *at, unsigned t) {
    for (unsigned i = 0; i < r->n; i++)
        if (dependent(r->thread[i], r->step[i], t, next_of(at, t)))
            return true;
    return false;
}

static void rounds(search *s, const state *at, const round *last, unsigned were_enabled);

static void run_round(search *s, const state *at, const round *r) {
    state next = *at;
    for (unsigned i = 0; i < r->n && !next.m.outcome; i++)
        execute(s, &next, r->thread[i]);
    rounds(s, &next, r, at->m.enabled);
}

// The coin for each of the set from i on.
static void toss(search *s, const state *at, const unsigned *set, unsigned n, unsigned i,
                 const round *chosen) {
    while (i < n && depends_on(chosen, at, set[i]))
        i++;
    if (i == n) {
        run_round(s, at, chosen);
        return;
    }
    state half = *at;
    half.p /= 2;
    round with = *chosen;
    add(&with, at, set[i]);
    toss(s, &half, set, n, i + 1, &with);
    toss(s, &half, set, n, i + 1, chosen);
}

static void choose_from(search *s, const state *at, const unsigned *set, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        state next = *at;
        round first = {.n = 0};
        next.p /= n;
        add(&first, at, set[i]);
        toss(s, &next, set, n, 0, &first);
    }
}

// Steps that belong to those before them; the threads that took one.
static unsigned join_steps(search *s, state *at) {
    unsigned who[TSL_VM_THREADS], went = 0;
    while (at->joins_steps && !at->m.outcome) {
        unsigned n = enabled(at, who), i = 0;
        for (; i < n; i++) {
            unsigned kind = next_of(at, who[i]).kind;
            if (kind == TSL_EV_CREATE || kind == TSL_EV_START || kind == TSL_EV_JOIN ||
                kind == TSL_EV_UNLOCK)
                break;
        }
        if (i == n)
            break;
        execute(s, at, who[i]);
        went |= 1u << who[i];
    }
    return went;
}

// Schedulable is what depends on the last round, and what that has enabled.
static void rounds(search *s, const state *from, const round *last, unsigned were_enabled) {
    state now = *from, *at = &now;
    unsigned went = join_steps(s, at);
    unsigned who[TSL_VM_THREADS], n = enabled(at, who), set[TSL_VM_THREADS], nset = 0;
    if (at->m.outcome) {
        add_order(s, at);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        if (!(were_enabled >> who[i] & 1) || went >> who[i] & 1 || depends_on(last, at, who[i]))
            set[nset++] = who[i];
    if (nset) {
        choose_from(s, at, set, nset);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        state next = *at;
        next.p /= n;
        choose_from(s, &next, &who[i], 1);
    }
}

// ---------------------------------------------------------------- priorities

static unsigned rank_of(const ranking *r, unsigned t) {
    unsigned i = 0;
    while (r->order[i] != r->of[t])
        i++;
    return i;
}

static void insert(ranking *r, unsigned t, unsigned place) {
    TSL_BUG_ON(r->n == DRAWS, "%u draws", r->n);
    memmove(&r->order[place + 1], &r->order[place], r->n - place);
    r->order[place] = r->of[t] = r->n;
    r->n++;
}

static unsigned highest(const state *at, const unsigned *who, unsigned n) {
    unsigned best = who[0];
    for (unsigned i = 1; i < n; i++)
        if (rank_of(&at->r, who[i]) > rank_of(&at->r, best))
            best = who[i];
    return best;
}

// Draws what is missing in every possible way, then goes on.
static void draw(search *s, const state *at, unsigned from, void (*then)(search *, const state *)) {
    unsigned who[TSL_VM_THREADS], n = enabled(at, who), i = 0;
    while (i < n && at->r.of[who[i]] != NONE)
        i++;
    if (i == n) {
        then(s, at);
        return;
    }
    unsigned places = at->r.n - from + 1;
    for (unsigned k = 0; k < places; k++) {
        state next = *at;
        next.p /= places;
        insert(&next.r, who[i], from + k);
        draw(s, &next, from, then);
    }
}

static void pos_step(search *s, const state *at);

static void pos(search *s, const state *at) {
    if (at->m.outcome)
        add_order(s, at);
    else
        draw(s, at, 0, pos_step);
}

static void pos_step(search *s, const state *at) {
    unsigned who[TSL_VM_THREADS], n = enabled(at, who), t = highest(at, who, n);
    state next = *at;
    for (unsigned i = 0; i < n; i++)
        if (dependent(t, next_of(at, t), who[i], next_of(at, who[i])))
            next.r.of[who[i]] = NONE;
    execute(s, &next, t);
    pos(s, &next);
}

// ---------------------------------------------------------------- pct

static void pct_step(search *s, const state *at);

// Those that dropped are lowest of all and no draws: they stand first, and new ones behind them.
static unsigned dropped(const search *s, const state *at) {
    unsigned n = 0;
    for (unsigned i = 0; i + 1 < s->plan->depth; i++)
        n += at->changes[i] <= at->picks;
    return n;
}

static void pct(search *s, const state *at) {
    if (at->m.outcome)
        add_order(s, at);
    else
        draw(s, at, dropped(s, at), pct_step);
}

static void pct_step(search *s, const state *at) {
    unsigned who[TSL_VM_THREADS], n = enabled(at, who);
    state next = *at;
    next.picks++;
    for (unsigned i = 0; i + 1 < s->plan->depth; i++)
        if (next.changes[i] == next.picks) {
            unsigned t = highest(&next, who, n);
            // Its old draw stays known; what it has now is the lowest.
            insert(&next.r, t, 0);
        }
    unsigned t = highest(&next, who, n);
    execute(s, &next, t);
    pct(s, &next);
}

static void pct_from(search *s, const state *at, unsigned change) {
    if (change + 1 >= s->plan->depth) {
        pct(s, at);
        return;
    }
    for (uint64_t c = 1; c <= s->plan->length; c++) {
        state next = *at;
        next.p /= (double)s->plan->length;
        next.changes[change] = c;
        pct_from(s, &next, change + 1);
    }
}

// ---------------------------------------------------------------- surw

static bool is_interesting(tsl_vm_step step) {
    return step.kind != TSL_EV_START && step.kind != TSL_EV_YIELD;
}

static void surw(search *s, const state *at);

static void surw_run(search *s, const state *at, unsigned t) {
    state next = *at;
    bool interesting = is_interesting(next_of(at, t));
    next.weight[t] -= interesting && next.weight[t] > 0;
    next.chosen = interesting ? NONE : t;
    execute(s, &next, t);
    surw(s, &next);
}

static void surw(search *s, const state *at) {
    unsigned who[TSL_VM_THREADS], n = enabled(at, who);
    uint64_t sum = 0;
    if (at->m.outcome) {
        add_order(s, at);
        return;
    }
    if (at->chosen != NONE && tsl_vm_is_enabled(&at->m, at->chosen)) {
        surw_run(s, at, at->chosen);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        sum += at->weight[who[i]];
    for (unsigned i = 0; i < n; i++) {
        state next = *at;
        next.p *= sum ? (double)at->weight[who[i]] / (double)sum : 1.0 / n;
        if (next.p > 0)
            surw_run(s, &next, who[i]);
    }
}

// ---------------------------------------------------------------- from outside

static void run_prefix(search *s, state *at) {
    for (size_t i = 0; i < s->plan->items.len; i++)
        for (uint32_t k = 0; k < s->plan->items.data[i].count; k++)
            execute(s, at, index_of(s->program, s->plan->items.data[i].value));
}

void tsl_exact_init(tsl_exact *exact, const tsl_vm_program *program, const tsl_plan *plan) {
    search s = {.program = program, .plan = plan, .out = exact};
    static state at;
    *exact = (tsl_exact){0};
    at = (state){.p = 1, .chosen = NONE};
    memset(at.r.of, NONE, sizeof at.r.of);
    tsl_vm_begin(&at.m, program, false, NULL, &s.events);
    at.nevents = s.events.len;
    at.weight[0] = given_weight(&s, 0);
    run_prefix(&s, &at);
    switch (plan->policy) {
    case TSL_POLICY_RAPOS:
        at.p = 1.0 / 8;
        rounds(&s, &at, NULL, 0);
        at.p = 7.0 / 8;
        at.joins_steps = true;
        rounds(&s, &at, NULL, 0);
        break;
    case TSL_POLICY_PCT:
        pct_from(&s, &at, 0);
        break;
    case TSL_POLICY_POS:
        pos(&s, &at);
        break;
    case TSL_POLICY_SURW:
        surw(&s, &at);
        break;
    case TSL_POLICY_RANDOM:
        walk(&s, &at);
        break;
    default:
        TSL_BUG_ON(true, "policy %u is not defined here", plan->policy);
    }
    tsl_vec_drop(&s.events);
}

void tsl_exact_drop(tsl_exact *exact) { tsl_vec_drop(&exact->orders); }
