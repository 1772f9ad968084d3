// What does `teasel test` do if no strategy is named?
//
// It divides the budget among several strategies, called arms, in three phases:
//
//     start      A few samples of every sampler.  If runs with inputs take too long, the phase ends
//                early, because turning their branches may lead to runs that end.
//     search     The exhaustive search, as long as its estimate says that it fits the budget.
//     mixed      Schedules with 0 preemptions, then with 1, and so on; samples; the rest of the
//                exhaustive search; and, for a program with inputs, paths in the order of coverage.
//                Each arm gets its share of the steps.
//
// Plans of all arms are in flight together.  A ring keeps, in the order of the Plans, which arm
// made each.
#include "base/clock.h"
#include "explore/knowledge.h"

enum {
    START = 64,       // samples of the first phase
    FIRST_LOOK = 500, // runs of the search before its estimate is used
    MOST_CUT = 2,     // so many samples with inputs that take too long end the first phase
    FEW = 4,          // most samples in flight while another arm waits for its runs
    MOST_BOUND = 1000,
    RING = 256
};

enum arm { SEARCH, BOUNDED, PATHS, SAMPLES, ARMS };

// The share of the steps that each arm gets in the mixed phase.
static const double shares[ARMS] = {[SEARCH] = 1, [BOUNDED] = 2, [PATHS] = 1, [SAMPLES] = 3};

typedef struct portfolio {
    tsl_strategy base;
    tsl_search search;
    tsl_strategy *arms[ARMS]; // NULL if the arm has not begun; always NULL for SAMPLES
    tsl_knowledge *knowledge;
    bool over[ARMS];    // the arm has nothing more to offer
    double spent[ARMS]; // steps of the arm, divided by its share
    uint64_t runs[ARMS];
    enum tsl_phase { IN_START, IN_SEARCH, IN_MIXED } phase;
    uint8_t ring[RING]; // which arm made each Plan in flight
    unsigned first, flying, flying_of[ARMS];
    uint64_t samples; // how many were planned
    bool has_inputs, has_threads;
    unsigned cut; // runs that the time limit of one run ended
    double begun, search_begun;
    double estimate; // runs of the whole search
    bool gave_up;    // the search would not have fitted the budget
} portfolio;

// ---------------------------------------------------------------- lifetime

static tsl_strategy *portfolio_new(const tsl_search *search) {
    portfolio *p = tsl_alloc(sizeof *p);
    p->base.kind = &tsl_strategy_portfolio;
    p->search = *search;
    p->search.bug_depth = 0;
    p->knowledge = tsl_knowledge_new(&p->search, &p->base);
    p->begun = tsl_clock_now();
    return &p->base;
}

static void portfolio_free(tsl_strategy *strategy) {
    portfolio *p = (portfolio *)strategy;
    for (unsigned a = 0; a < SAMPLES; a++)
        if (p->arms[a])
            p->arms[a]->kind->free(p->arms[a]);
    tsl_knowledge_free(p->knowledge);
    tsl_free(p);
}

static tsl_strategy *begin(portfolio *p, enum arm arm) {
    tsl_search search = p->search;
    static const tsl_strategy_kind *const kinds[] = {[SEARCH] = &tsl_strategy_optimal,
                                                     [BOUNDED] = &tsl_bounded_optimal,
                                                     [PATHS] = &tsl_strategy_paths};
    if (arm == BOUNDED) {
        search.preemptions = MOST_BOUND;
        search.iterate = true;
    }
    search.path_order = TSL_PATHS_COVERAGE;
    search.inputs = tsl_knowledge_inputs(p->knowledge);
    // cppcheck-suppress returnDanglingLifetime // a call that it takes for a list; each makes a copy
    return kinds[arm]->new (&search);
}

// ---------------------------------------------------------------- which arm is next

static void take_off(portfolio *p, enum arm arm) {
    p->ring[(p->first + p->flying++) % RING] = (uint8_t)arm;
    p->flying_of[arm]++;
}

static bool plan_sample(portfolio *p, tsl_plan *plan) {
    // The first sample is what the program does without any switch that it does not ask for.
    unsigned policy = p->samples ? TSL_FIRST_SAMPLER + p->samples % TSL_SAMPLERS : TSL_POLICY_STAY;
    if (!tsl_knowledge_plan(p->knowledge, policy, p->phase == IN_MIXED, plan))
        return false;
    p->samples++;
    take_off(p, SAMPLES);
    return true;
}

static enum tsl_next ask(portfolio *p, enum arm arm, tsl_plan *plan) {
    if (arm == SAMPLES)
        return plan_sample(p, plan) ? TSL_NEXT_PLAN : TSL_NEXT_WAIT;
    if (!p->arms[arm])
        p->arms[arm] = begin(p, arm);
    enum tsl_next next = p->arms[arm]->kind->next(p->arms[arm], plan);
    if (next == TSL_NEXT_PLAN)
        take_off(p, arm);
    return next;
}

static bool is_wanted(const portfolio *p, enum arm arm) {
    return !p->over[arm] && (arm != PATHS || p->has_inputs) && (arm != BOUNDED || p->has_threads);
}

// Has the arm been through everything, without a bound and without meeting what it can't follow?
static bool is_all(const portfolio *p, enum arm arm) {
    const tsl_claim *claim = arm == SEARCH || arm == BOUNDED ? &p->arms[arm]->claim : NULL;
    return claim && claim->reach != TSL_REACH_BOUNDED && !tsl_claim_is_weakened(claim);
}

// What weakens the claims of other arms does not matter if this arm has been through everything.
static enum tsl_next done(portfolio *p, enum arm arm) {
    p->base.claim = p->arms[arm]->claim;
    return TSL_NEXT_DONE;
}

// The arm that has had the least of its share is next.  Arms that have to wait are passed over.
static enum tsl_next plan_mixed(portfolio *p, tsl_plan *plan) {
    bool asked[ARMS] = {false}, some_wait = false;
    for (;;) {
        int best = -1;
        for (int a = 0; a < ARMS; a++)
            if (!asked[a] && is_wanted(p, (enum arm)a) &&
                (best < 0 || p->spent[a] < p->spent[best]))
                best = a;
        if (best < 0)
            return TSL_NEXT_WAIT;
        // An arm that waits for its run must not wait behind a long queue of samples.
        if (best == SAMPLES && some_wait && p->flying_of[SAMPLES] >= FEW)
            return TSL_NEXT_WAIT;
        asked[best] = true;
        enum tsl_next next = ask(p, (enum arm)best, plan);
        if (next == TSL_NEXT_PLAN)
            return next;
        if (next == TSL_NEXT_DONE) {
            p->over[best] = true;
            if (is_all(p, (enum arm)best))
                return done(p, (enum arm)best);
        } else
            some_wait = true;
    }
}

static enum tsl_next plan_search(portfolio *p, tsl_plan *plan) {
    enum tsl_next next = ask(p, SEARCH, plan);
    if (next != TSL_NEXT_DONE)
        return next;
    if (is_all(p, SEARCH))
        return done(p, SEARCH);
    p->over[SEARCH] = true;
    p->phase = IN_MIXED;
    return plan_mixed(p, plan);
}

static enum tsl_next portfolio_next(tsl_strategy *strategy, tsl_plan *plan) {
    portfolio *p = (portfolio *)strategy;
    if (p->flying == RING)
        return TSL_NEXT_WAIT;
    if (p->phase == IN_START && p->has_inputs && p->cut >= MOST_CUT)
        p->phase = IN_MIXED;
    if (p->phase == IN_START && p->samples == START) {
        p->phase = IN_SEARCH;
        p->search_begun = tsl_clock_now();
    }
    switch (p->phase) {
    case IN_START:
        return plan_sample(p, plan) ? TSL_NEXT_PLAN : TSL_NEXT_WAIT;
    case IN_SEARCH:
        return plan_search(p, plan);
    default:
        return plan_mixed(p, plan);
    }
}

// ---------------------------------------------------------------- learning

// Would the search end in time?  At first the estimated share of the tree is of no use.
static bool fits(const portfolio *p, double *whole) {
    double share = p->arms[SEARCH]->share, runs = (double)p->runs[SEARCH];
    *whole = share > 0 ? runs / share : 0;
    if (p->runs[SEARCH] < FIRST_LOOK || share <= 0)
        return true;
    double now = tsl_clock_now(), taken = now - p->search_begun;
    bool in_runs = !p->search.runs || *whole + (double)START <= (double)p->search.runs;
    bool in_time = p->search.seconds <= 0 || taken < p->search.seconds / 20 ||
                   p->search_begun - p->begun + taken / share <= p->search.seconds;
    return in_runs && in_time;
}

// What the arm says about the run learned last.
static void pass_on(portfolio *p, tsl_strategy *arm) {
    p->base.canon = arm->canon;
    p->base.redundant = arm->redundant;
    p->base.ignored = arm->ignored;
    p->base.strayed = arm->strayed;
    p->base.impossible = arm->impossible;
    if (arm->strayed && p->base.diverged++ == 0)
        p->base.divergence = arm->divergence;
    p->base.share = p->phase == IN_SEARCH ? arm->share : 0;
    p->base.begun_again = arm->begun_again;
    arm->begun_again = false;
    p->base.mispredicted += arm->mispredicted;
    arm->mispredicted = 0;
}

static void learn_by_arm(portfolio *p, enum arm arm, const tsl_plan *plan, const tsl_run *run) {
    tsl_strategy *s = p->arms[arm];
    s->kind->learn(s, plan, run);
    pass_on(p, s);
    if (!s->kind->analyses)
        p->base.canon = tsl_knowledge_watch(p->knowledge, run);
    if (arm == BOUNDED && s->claim.reach == TSL_REACH_BOUNDED)
        p->base.claim = s->claim;
    if (arm == SEARCH && p->phase == IN_SEARCH && !fits(p, &p->estimate)) {
        p->phase = IN_MIXED;
        p->gave_up = true;
    }
}

static void portfolio_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run) {
    portfolio *p = (portfolio *)strategy;
    enum arm arm = (enum arm)p->ring[p->first % RING];
    p->first = (p->first + 1) % RING;
    p->flying--;
    p->flying_of[arm]--;
    p->runs[arm]++;
    // Even a run without steps costs something.
    p->spent[arm] += ((double)run->head->steps + 50) / shares[arm];
    p->has_inputs |= (run->head->flags & TSL_TRACE_INPUTS) != 0;
    p->has_threads |= !(run->head->flags & TSL_TRACE_NO_THREADS);
    p->cut += run->outcome == TSL_OUT_TIME_LIMIT;
    p->base.redundant = p->base.ignored = p->base.strayed = p->base.impossible = false;
    if (arm == SAMPLES)
        p->base.canon = tsl_knowledge_learn(p->knowledge, plan, run);
    else
        learn_by_arm(p, arm, plan, run);
}

static const tsl_events *portfolio_known(const tsl_strategy *strategy) {
    const portfolio *p = (const portfolio *)strategy;
    enum arm arm = (enum arm)p->ring[p->first % RING];
    return p->arms[arm] ? tsl_strategy_known(p->arms[arm]) : NULL;
}

// ---------------------------------------------------------------- telling

static void portfolio_tell(const tsl_strategy *strategy, tsl_buf *out) {
    const portfolio *p = (const portfolio *)strategy;
    tsl_buf_add(out, "  what was done: %lu sampled runs", (unsigned long)p->runs[SAMPLES]);
    for (uint32_t policy = TSL_FIRST_SAMPLER; policy < TSL_POLICY_COUNT; policy++)
        tsl_buf_add(out, "%s%s", policy > TSL_FIRST_SAMPLER ? ", " : " (", tsl_policy_name(policy));
    tsl_buf_putc(out, ')');
    if (p->runs[SEARCH])
        tsl_buf_add(out, ", %lu of the exhaustive search", (unsigned long)p->runs[SEARCH]);
    if (p->gave_up)
        tsl_buf_add(out, " (about %.2g in all would not fit the budget)", p->estimate);
    if (p->runs[BOUNDED])
        tsl_buf_add(out, ", %lu with few preemptions", (unsigned long)p->runs[BOUNDED]);
    if (p->runs[PATHS])
        tsl_buf_add(out, ", %lu that turn branches to cover more", (unsigned long)p->runs[PATHS]);
    tsl_buf_putc(out, '\n');
}

const tsl_strategy_kind tsl_strategy_portfolio = {
    .name = "portfolio",
    .help = "samples, then everything if it fits the budget, else few preemptions and samples",
    .samples = true,
    .analyses = true,
    .new = portfolio_new,
    .next = portfolio_next,
    .learn = portfolio_learn,
    .free = portfolio_free,
    .known = portfolio_known,
    .tell = portfolio_tell,
};
