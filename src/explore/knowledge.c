#include "explore/knowledge.h"

#include "explore/plan.h"

enum {
    LAG = 128,            // number of Plans that can be in flight
    MOST_STEPS = 1 << 16, // steps of a run that are counted for weights
    MOST_KEPT = 512,      // runs that are kept for mutation
    MOST_ITEMS = 4096,    // a run with a longer schedule is not kept
    MUTATES = 4           // one Plan of so many is mutated
};

// A step of an earlier run, at a preemption point.
typedef struct point {
    uint64_t addr; // of the eight bytes
    uint16_t thread;
    bool shared; // another thread came to these bytes, too, and at least one step changed them
} point;

typedef struct kin {
    uint16_t thread, parent;
} kin;

// What was known after a number of Traces.
typedef struct snapshot {
    uint64_t traces;
    uint32_t npoints;
    uint64_t length;
    uint32_t nkept;
    TSL_VEC(point) steps; // of the last run
    TSL_VEC(kin) threads;
} snapshot;

struct tsl_knowledge {
    tsl_search search;
    tsl_rng seeds;    // of Plans
    tsl_rng learning; // of what is learned
    tsl_pool pool;
    tsl_race_watch watch;
    tsl_race_sink sink;
    tsl_feedback feedback;
    tsl_tallies tallies;
    TSL_VEC(uint32_t) points; // sites, never moved: Plans in flight point to them
    tsl_set sites;
    TSL_VEC(tsl_plan) kept; // schedules that showed new pairs of sites
    uint64_t planned, learned, longest;
    TSL_VEC(snapshot) known;         // oldest first; the first one is in force
    uint32_t count[TSL_MAX_THREADS]; // scratch
    tsl_set writers, touchers;       // scratch
};

// ---------------------------------------------------------------- preemption points

static void add_point(tsl_knowledge *s, uint32_t site) {
    if (site && s->points.len < TSL_MAX_POINTS && tsl_set_insert(&s->sites, site))
        tsl_vec_push(&s->points, site);
}

static void found(void *self, const tsl_found *f) {
    tsl_knowledge *s = self;
    add_point(s, f->history->steps.data[f->first].site);
    add_point(s, f->history->steps.data[f->second].site);
    if (s->search.races)
        s->search.races->found(s->search.races->self, f);
}

static bool is_point(const tsl_knowledge *s, const tsl_event *e) {
    return !tsl_is_ordinary_access(e->kind) || tsl_set_has(&s->sites, e->site);
}

// ---------------------------------------------------------------- lifetime

tsl_knowledge *tsl_knowledge_new(const tsl_search *search, tsl_strategy *owner) {
    tsl_knowledge *s = tsl_alloc(sizeof *s);
    s->search = *search;
    s->sink = (tsl_race_sink){s, found};
    tsl_rng_init(&s->seeds, search->seed);
    tsl_rng_init(&s->learning, ~search->seed);
    tsl_pool_init(&s->pool, search);
    tsl_race_watch_init(&s->watch, &s->sink, true);
    tsl_feedback_init(&s->feedback);
    tsl_vec_reserve(&s->points, TSL_MAX_POINTS);
    tsl_vec_push(&s->known, (snapshot){0});
    owner->inputs = s->pool.inputs;
    owner->feedback = &s->feedback;
    owner->tallies = &s->tallies;
    return s;
}

static void forget(snapshot *k) {
    tsl_vec_drop(&k->steps);
    tsl_vec_drop(&k->threads);
}

void tsl_knowledge_free(tsl_knowledge *s) {
    for (size_t i = 0; i < s->known.len; i++)
        forget(&s->known.data[i]);
    for (size_t i = 0; i < s->kept.len; i++)
        tsl_plan_drop(&s->kept.data[i]);
    tsl_vec_drop(&s->kept);
    tsl_vec_drop(&s->known);
    tsl_vec_drop(&s->points);
    tsl_set_drop(&s->sites);
    tsl_set_drop(&s->writers);
    tsl_set_drop(&s->touchers);
    tsl_feedback_drop(&s->feedback);
    tsl_tallies_drop(&s->tallies);
    tsl_race_watch_drop(&s->watch);
    tsl_pool_drop(&s->pool);
    tsl_free(s);
}

// ---------------------------------------------------------------- what is known when

// Plan number n uses what was known after this number of Traces: a power of two at first, then a
// multiple of LAG.
static uint64_t known_by(uint64_t n) {
    if (n >= 2 * LAG)
        return (n - LAG) / LAG * LAG;
    uint64_t traces = 0;
    for (uint64_t power = 1; 2 * power <= n; power *= 2)
        traces = power;
    return traces;
}

static bool is_time(uint64_t traces) {
    return traces >= LAG ? traces % LAG == 0 : (traces & (traces - 1)) == 0;
}

static void note_steps(tsl_knowledge *s, snapshot *k, const tsl_run *run) {
    tsl_set_clear(&s->writers);
    tsl_set_clear(&s->touchers);
    const tsl_event *e;
    for (size_t at = 0; k->steps.len < MOST_STEPS && (e = tsl_run_next(run, &at));) {
        tsl_access a;
        if (!is_point(s, e) || !tsl_access_fill(&a, e->kind, e->res, e->addr, 1))
            continue;
        uint64_t addr = e->addr & ~7ull;
        tsl_set_insert(&s->touchers, addr + (e->thread % 8u) + 1);
        if (a.role != TSL_ROLE_READ)
            tsl_set_insert(&s->writers, addr + 1);
        tsl_vec_push(&k->steps, ((point){.addr = addr, .thread = e->thread}));
    }
    for (size_t i = 0; i < k->steps.len; i++) {
        point *p = &k->steps.data[i];
        unsigned touchers = 0;
        for (unsigned t = 0; t < 8; t++) // threads whose numbers differ by 8 count as the same
            touchers += tsl_set_has(&s->touchers, p->addr + t + 1);
        p->shared = touchers > 1 && tsl_set_has(&s->writers, p->addr + 1);
    }
}

static void note_threads(snapshot *k, const tsl_run *run) {
    for (uint32_t i = 0; i < run->head->nthreads && i < TSL_TRACE_THREADS; i++)
        tsl_vec_push(&k->threads,
                     ((kin){run->head->threads[i].thread, run->head->threads[i].parent}));
}

static void remember(tsl_knowledge *s, const tsl_run *run) {
    snapshot k = {.traces = s->learned,
                  .npoints = (uint32_t)s->points.len,
                  .nkept = (uint32_t)s->kept.len,
                  .length = s->longest};
    note_steps(s, &k, run);
    note_threads(&k, run);
    tsl_vec_push(&s->known, k);
}

// ---------------------------------------------------------------- weights

static void add_up(tsl_knowledge *s, const snapshot *k, uint16_t thread, uint32_t own) {
    for (size_t steps = 0; steps <= k->threads.len; steps++) {
        s->count[thread % TSL_MAX_THREADS] += own;
        size_t i = 0;
        while (i < k->threads.len && k->threads.data[i].thread != thread)
            i++;
        if (thread == 0 || i == k->threads.len)
            return;
        thread = k->threads.data[i].parent;
    }
}

// In about half of the Plans all steps are interesting, in the others those on one object.
static void weigh(tsl_knowledge *s, const snapshot *k, tsl_plan *plan) {
    uint32_t own[TSL_TRACE_THREADS] = {0};
    if (!k->steps.len)
        return;
    const point *chosen = &k->steps.data[tsl_rng_below(&s->seeds, k->steps.len)];
    plan->interest = chosen->shared && tsl_rng_below(&s->seeds, 2) ? chosen->addr : 0;
    for (size_t t = 0; t < k->threads.len; t++)
        s->count[k->threads.data[t].thread % TSL_MAX_THREADS] = 0;
    for (size_t i = 0; i < k->steps.len; i++)
        if (!plan->interest || k->steps.data[i].addr == plan->interest)
            s->count[k->steps.data[i].thread % TSL_MAX_THREADS]++;
    for (size_t t = 0; t < k->threads.len; t++) {
        uint32_t *count = &s->count[k->threads.data[t].thread % TSL_MAX_THREADS];
        own[t] = *count;
        *count = 0;
    }
    for (size_t t = 0; t < k->threads.len; t++)
        add_up(s, k, k->threads.data[t].thread, own[t]);
    for (size_t t = 0; t < k->threads.len; t++) {
        uint16_t thread = k->threads.data[t].thread;
        tsl_vec_push(&plan->weights, ((tsl_weight){thread, s->count[thread % TSL_MAX_THREADS]}));
    }
}

// ---------------------------------------------------------------- mutation

static void keep(tsl_knowledge *s, const tsl_plan *ran, const tsl_run *run) {
    tsl_plan plan;
    if (s->kept.len == MOST_KEPT)
        return;
    tsl_plan_init(&plan);
    tsl_trace_to_plan(&run->trace, ran, &plan);
    if (plan.items.len <= MOST_ITEMS)
        tsl_vec_push(&s->kept, plan);
    else
        tsl_plan_drop(&plan);
}

// The Plan begins as a run did that showed something new, and the policy goes on from there.
static void mutate(tsl_knowledge *s, const snapshot *k, tsl_plan *plan) {
    const tsl_plan *from = &s->kept.data[tsl_rng_below(&s->seeds, k->nkept)];
    uint64_t steps = tsl_plan_length(from);
    for (size_t i = 0; i < from->items.len; i++)
        tsl_vec_push(&plan->items, from->items.data[i]);
    tsl_plan_cut(plan, steps ? 1 + tsl_rng_below(&s->seeds, steps) : 0);
    tsl_plan_copy_inputs(plan, from);
}

// ---------------------------------------------------------------- plans

bool tsl_knowledge_plan(tsl_knowledge *s, unsigned policy, bool mutates, tsl_plan *plan) {
    uint64_t traces = known_by(s->planned);
    if (traces > s->learned)
        return false;
    while (s->known.len > 1 && s->known.data[1].traces <= traces) {
        forget(&s->known.data[0]);
        tsl_vec_remove(&s->known, 0);
    }
    const snapshot *k = &s->known.data[0];
    s->planned++;
    bool by_points = !s->search.preempt_all && policy != TSL_POLICY_STAY;
    tsl_search_plan(&s->search, policy, by_points ? TSL_PLAN_POINTS : 0, plan);
    plan->seed = tsl_rng_next(&s->seeds);
    plan->length = k->length;
    plan->depth =
        s->search.bug_depth ? s->search.bug_depth : 2 + (uint32_t)tsl_rng_below(&s->seeds, 5);
    plan->points = s->points.data;
    plan->npoints = k->npoints;
    if (tsl_policy_wants(policy) == TSL_WANTS_WEIGHTS)
        weigh(s, k, plan);
    if (mutates && k->nkept && tsl_rng_below(&s->seeds, MUTATES) == 0)
        mutate(s, k, plan);
    else
        tsl_pool_draw(&s->pool, &s->seeds, plan);
    return true;
}

static uint64_t length_of(const tsl_knowledge *s, const tsl_run *run) {
    if (s->search.preempt_all)
        return run->head->steps;
    uint64_t n = 0;
    const tsl_event *e;
    for (size_t at = 0; (e = tsl_run_next(run, &at));)
        n += is_point(s, e);
    return n;
}

uint64_t tsl_knowledge_watch(tsl_knowledge *s, const tsl_run *run) {
    uint64_t canon;
    return tsl_race_watch_read(&s->watch, run, &canon) ? canon : 0;
}

// An order that another sampler has seen may be new to this sampler.  Returns true if the run showed
// a pair of sites that is new to all.
static bool note_sample(tsl_knowledge *s, const tsl_plan *plan, const tsl_run *run, uint64_t canon,
                        bool fresh) {
    tsl_feedback *f = &s->feedback;
    unsigned policy = plan->policy;
    bool mutated = plan->items.len > 0; // the policy did not draw the whole schedule
    bool fresh_to_it = !mutated && tsl_tally_order(&s->tallies, policy, canon);
    f->mutated += mutated;
    tsl_feedback_count(f, fresh);
    if (fresh || fresh_to_it)
        tsl_feedback_read(f, run, policy);
    if (!mutated)
        tsl_tally_pairs(&s->tallies.of[policy], f->successions_of[policy], f->reads_of[policy]);
    return f->last_pair == f->runs;
}

uint64_t tsl_knowledge_learn(tsl_knowledge *s, const tsl_plan *plan, const tsl_run *run) {
    uint64_t canon;
    bool fresh = tsl_race_watch_read(&s->watch, run, &canon);
    s->learned++;
    if (note_sample(s, plan, run, canon, fresh))
        keep(s, plan, run);
    tsl_pool_learn(&s->pool, &s->learning, run);
    if (fresh) {
        uint64_t length = length_of(s, run);
        s->longest = length > s->longest ? length : s->longest;
    }
    if (is_time(s->learned))
        remember(s, run);
    return fresh ? canon : 0;
}

tsl_inputs *tsl_knowledge_inputs(const tsl_knowledge *s) { return s->pool.inputs; }
