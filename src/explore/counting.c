#include "explore/counting.h"

#include <signal.h>
#include <string.h>

#include "base/hash.h"

enum { MAX_HASHES = 1 << 23 }; // of each kind; what comes later is not known to be new

void tsl_counting_init(tsl_counting *k, tsl_campaign *c) {
    *k = (tsl_counting){.campaign = c};
    tsl_race_watch_init(&k->watch, c->races, c->strategy->kind->samples);
}

void tsl_counting_drop(tsl_counting *k) {
    tsl_set_drop(&k->traces);
    tsl_set_drop(&k->orders);
    tsl_set_drop(&k->paths);
    tsl_race_watch_drop(&k->watch);
}

// Once the set is full nothing is added to it.
static bool is_new(tsl_set *hashes, uint64_t hash) {
    return hashes->len < MAX_HASHES ? tsl_set_insert(hashes, hash) : !tsl_set_has(hashes, hash);
}

// ---------------------------------------------------------------- paths

// The outcomes of each thread in their order; how threads took turns does not matter.
static uint64_t path_of(const tsl_run *run) {
    enum { THREADS = 64 };
    if (!(run->head->flags & TSL_TRACE_INPUTS))
        return 0; // there is nothing to decide
    uint64_t hash[THREADS] = {0}, sum = 0;
    tsl_decision d;
    for (size_t at = 0; tsl_run_decision(run, &at, &d);) {
        uint64_t *own = &hash[d.thread % THREADS];
        *own = tsl_hash_u64(*own + d.thread + 1, (uint64_t)d.site << 16 | d.taken);
    }
    for (unsigned i = 0; i < THREADS; i++)
        sum += hash[i];
    return sum;
}

// A run that was cut says nothing about how its path goes on.
static bool came_to_an_end(const tsl_run *run) {
    unsigned outcome = run->outcome;
    return outcome == TSL_OUT_OK || outcome == TSL_OUT_STEP_LIMIT ||
           outcome == TSL_OUT_TIME_LIMIT || tsl_outcome_is_bug(outcome);
}

static void count_path(tsl_counting *k, const tsl_run *run) {
    tsl_campaign *c = k->campaign;
    bool whole = run->trace.nnodes && came_to_an_end(run);
    c->path = whole ? path_of(run) : 0;
    c->new_path = whole && k->paths.len < MAX_HASHES && tsl_set_insert(&k->paths, c->path);
    c->counts->paths += c->new_path;
}

// ---------------------------------------------------------------- Traces

// True if a signal had stopped the program; other signals are those of the clock.
static bool was_halted(const tsl_trace_head *head) {
    return head->outcome == TSL_OUT_TIME_LIMIT &&
           (head->signal == SIGSTOP || head->signal == SIGTSTP || head->signal == SIGTTIN ||
            head->signal == SIGTTOU);
}

static bool count_trace(tsl_counting *k, const tsl_run *run) {
    tsl_counts *n = k->campaign->counts;
    const tsl_strategy_kind *kind = k->campaign->strategy->kind;
    bool full = k->traces.len >= MAX_HASHES;
    bool may_repeat = !kind->analyses || kind->samples; // else no two schedules are the same
    bool fresh = !may_repeat || is_new(&k->traces, tsl_trace_hash(&run->trace));
    n->interleavings_cut |= full;
    n->interleavings += fresh && !full;
    return fresh;
}

bool tsl_count_run(tsl_counting *k, const tsl_run *run) {
    tsl_counts *n = k->campaign->counts;
    n->executions++;
    n->outcomes[run->outcome]++;
    n->halted += was_halted(run->head);
    n->flags |= run->head->flags;
    count_path(k, run);
    return count_trace(k, run);
}

// ---------------------------------------------------------------- what was learned

static void count_order(tsl_counting *k, uint64_t hash) {
    tsl_counts *n = k->campaign->counts;
    bool fresh = hash && is_new(&k->orders, hash);
    n->traces += fresh;
    n->repeated += !fresh;
}

// A run that went another way than planned is counted and explained.  Nothing else that it shows
// counts.
static bool went_astray(tsl_counting *k, const tsl_run *run) {
    tsl_counts *n = k->campaign->counts;
    const tsl_strategy *s = k->campaign->strategy;
    if (s->impossible)
        return true;
    if (!s->strayed && run->outcome != TSL_OUT_DIVERGED)
        return false;
    if (n->diverged++ == 0) {
        n->stray.run = n->executions;
        if (s->strayed)
            n->stray.divergence = s->divergence;
        if (run->outcome == TSL_OUT_DIVERGED)
            memcpy(n->stray.because, run->head->message, sizeof n->stray.because);
    }
    return true;
}

// With another dependence relation orders have other hashes.
static void begin_again(tsl_counting *k) {
    tsl_counts *n = k->campaign->counts;
    tsl_set_clear(&k->orders);
    n->traces = n->repeated = n->blocked = 0;
    n->begun_again = true;
    k->campaign->strategy->begun_again = false;
}

void tsl_count_learned(tsl_counting *k, const tsl_run *run, bool fresh) {
    const tsl_strategy *s = k->campaign->strategy;
    uint64_t order = s->canon;
    if (s->ignored || went_astray(k, run))
        return;
    if (s->begun_again) {
        begin_again(k);
        return;
    }
    bool redundant =
        s->redundant || run->outcome == TSL_OUT_REDUNDANT || run->outcome == TSL_OUT_SPUN;
    k->campaign->counts->blocked += redundant;
    bool known = s->kind->analyses || (fresh && tsl_race_watch_read(&k->watch, run, &order));
    if (known && !redundant)
        count_order(k, order);
}
