// The loop: keep the runner busy, show each Trace to the strategy and the observer.
#include "explore/campaign.h"

#include <float.h>
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/hash.h"
#include "explore/inputs.h"

enum { MAX_HASHES = 1 << 23 };
#define MAX_PLANS 128
#define EVENTS_IN_FLIGHT (1u << 20)
#define SLOW_RUN 0.02 // seconds
#define SHORT_RUN 0.0001
#define LATE_SECONDS 0.1 // behind the deadline, for what was in flight

// Plans in flight, oldest first: a ring.
typedef struct flight {
    tsl_plan plans[MAX_PLANS];
    size_t first, count;
} flight;

static tsl_plan *flight_end(flight *f) { return &f->plans[(f->first + f->count) % MAX_PLANS]; }

// Each thread's outcomes in their order; how threads took turns does not matter.
static uint64_t path_of(const tsl_run *run) {
    enum { THREADS = 64 };
    if (!(run->head->flags & TSL_TRACE_INPUTS))
        return 0; // nothing to decide
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

// A run that was cut says nothing of how its path goes on.
static bool came_to_an_end(const tsl_run *run) {
    unsigned outcome = run->outcome;
    return outcome == TSL_OUT_OK || outcome == TSL_OUT_STEP_LIMIT ||
           outcome == TSL_OUT_TIME_LIMIT || tsl_outcome_is_bug(outcome);
}

static void count_path(tsl_campaign *c, const tsl_run *run) {
    tsl_progress *p = &c->progress;
    bool whole = run->trace.nnodes && came_to_an_end(run);
    p->path = whole ? path_of(run) : 0;
    p->new_path =
        whole && c->path_hashes.len < MAX_HASHES && tsl_set_insert(&c->path_hashes, p->path);
    p->paths += p->new_path;
}

// Cut because a signal had stopped the program; other signals are those of the clock.
static bool was_halted(const tsl_trace_head *head) {
    return head->outcome == TSL_OUT_TIME_LIMIT &&
           (head->signal == SIGSTOP || head->signal == SIGTSTP || head->signal == SIGTTIN ||
            head->signal == SIGTTOU);
}

// True if the Trace was not seen before, as far as is known.
static bool count(tsl_campaign *c, const tsl_run *run) {
    tsl_progress *p = &c->progress;
    p->executions++;
    p->cut_runs[run->outcome]++;
    p->halted += was_halted(run->head);
    p->flags |= run->head->flags;
    count_path(c, run);
    if (c->strategy->kind->analyses &&
        !c->strategy->kind->samples) { // each of its schedules is another one
        p->interleavings++;
        return true;
    }
    uint64_t hash = tsl_trace_hash(&run->trace);
    if (c->hashes.len >= MAX_HASHES) {
        p->interleavings_cut = true;
        return !tsl_set_has(&c->hashes, hash);
    }
    bool fresh = tsl_set_insert(&c->hashes, hash);
    p->interleavings += fresh;
    return fresh;
}

static void count_order(tsl_campaign *c, uint64_t canon) {
    if (!canon) {
        c->progress.repeated++;
        return;
    }
    bool fresh = c->canons.len < MAX_HASHES ? tsl_set_insert(&c->canons, canon)
                                            : !tsl_set_has(&c->canons, canon);
    c->progress.traces += fresh;
    c->progress.repeated += !fresh;
    c->progress.traces_cut |= c->canons.len >= MAX_HASHES;
}

// A run that went another way than planned: counted, explained, and left out of what is claimed.
static bool went_astray(tsl_campaign *c, const tsl_run *run) {
    tsl_progress *p = &c->progress;
    const tsl_strategy *s = c->strategy;
    if (s->impossible)
        return true;
    if (!s->strayed && run->outcome != TSL_OUT_DIVERGED)
        return false;
    if (p->diverged++ == 0) {
        p->diverged_in = p->executions;
        if (s->strayed)
            p->divergence = s->divergence;
        if (run->outcome == TSL_OUT_DIVERGED)
            memcpy(p->diverged_because, run->head->message, sizeof p->diverged_because);
    }
    return true;
}

// The strategy has learned from it.
static void look(tsl_campaign *c, const tsl_run *run, bool fresh) {
    tsl_strategy *s = c->strategy;
    if (s->ignored || went_astray(c, run))
        return;
    if (s->begun_again) { // with another relation, so traces have other hashes
        tsl_set_clear(&c->canons);
        c->progress.traces = c->progress.repeated = c->progress.blocked = 0;
        c->progress.begun_again = true;
        s->begun_again = false;
        return;
    }
    bool redundant =
        s->redundant || run->outcome == TSL_OUT_REDUNDANT || run->outcome == TSL_OUT_SPUN;
    c->progress.blocked += redundant;
    c->progress.share = s->share;
    c->progress.mispredicted = s->mispredicted;
    c->progress.unknown = s->inputs ? s->inputs->unknown : 0;
    if (s->kind->analyses && !redundant)
        count_order(c, s->canon);
    uint64_t canon;
    if (!s->kind->analyses && fresh && tsl_monitor_read(&c->monitor, run, &canon) && !redundant)
        count_order(c, canon);
}

// Runs that came to an end by themselves, well or not.
static uint64_t ended_runs(const tsl_progress *p) {
    uint64_t n = p->cut_runs[TSL_OUT_OK];
    for (unsigned outcome = 0; outcome < TSL_OUT_COUNT; outcome++)
        if (tsl_outcome_is_bug(outcome))
            n += p->cut_runs[outcome];
    return n;
}

// What the runs showed, added to what the strategy says of itself.
static void weaken_by_runs(const tsl_campaign *c, bool done, bool only_one, tsl_claim *claim) {
    const tsl_progress *p = &c->progress;
    if (!only_one) { // else earlier runs that were cut began as the only behaviour there is
        tsl_claim_weaken(claim, TSL_REASON_RUN_STEPS, p->cut_runs[TSL_OUT_STEP_LIMIT]);
        tsl_claim_weaken(claim, TSL_REASON_RUN_SECONDS,
                         p->cut_runs[TSL_OUT_TIME_LIMIT] - p->halted);
        tsl_claim_weaken(claim, TSL_REASON_HALTED, p->halted);
        tsl_claim_weaken(claim, TSL_REASON_RUNTIME, p->cut_runs[TSL_OUT_RUNTIME]);
    }
    // Some of them the strategy has counted itself.
    if (p->diverged > claim->times[TSL_REASON_DIVERGED])
        claim->times[TSL_REASON_DIVERGED] = p->diverged;
    if ((p->flags & TSL_TRACE_CUT) && !tsl_claim_has(claim, TSL_REASON_RUN_STEPS))
        tsl_claim_weaken(claim, TSL_REASON_RUN_STEPS, 1);
    // Left-out accesses take nothing from a sample, but a search has not seen every order.
    if (done || !c->strategy->kind->samples)
        tsl_claim_weaken(claim, TSL_REASON_FILTERED, (p->flags & TSL_TRACE_FILTERED) != 0);
    tsl_claim_weaken(claim, TSL_REASON_SC_ONLY, (p->flags & TSL_TRACE_WEAK) != 0);
    tsl_claim_weaken(claim, TSL_REASON_CONCRETISED, (p->flags & TSL_TRACE_CONCRETISED) != 0);
    tsl_claim_weaken(claim, TSL_REASON_DEPTH, (p->flags & TSL_TRACE_DEPTH) != 0);
}

// The strategy is `done`, or a limit of the campaign ended it.
static tsl_claim make_claim(const tsl_campaign *c, bool done, bool only_one, bool stop) {
    const tsl_strategy *s = c->strategy;
    const tsl_progress *p = &c->progress;
    tsl_claim claim = s->claim;
    bool samples = s->kind->samples;
    claim.bound = s->bound;
    claim.ended = ended_runs(p);
    claim.reach = s->bounded && (done || samples) ? TSL_REACH_BOUNDED
                  : done                          ? TSL_REACH_ALL
                  : samples                       ? TSL_REACH_SAMPLES
                                                  : TSL_REACH_PART;
    weaken_by_runs(c, done, only_one, &claim);
    bool enough_runs = !c->budget.runs || p->executions >= c->budget.runs;
    bool none_begun = !p->executions && !c->budget.runs;
    stop |= tsl_deadline_interrupted();
    if (claim.reach == TSL_REACH_SAMPLES && (!enough_runs || none_begun) && !stop)
        tsl_claim_weaken(&claim, TSL_REASON_TIME, 1);
    if (claim.reach == TSL_REACH_PART && !stop)
        tsl_claim_weaken(&claim, c->budget.runs && enough_runs ? TSL_REASON_RUNS : TSL_REASON_TIME,
                         1);
    return claim;
}

// One thread and no choice: there is nothing to sample.
static bool is_only_behaviour(const tsl_run *run) {
    if (!(run->head->flags & TSL_TRACE_NO_THREADS) || (run->head->flags & TSL_TRACE_INPUTS) ||
        run->outcome != TSL_OUT_OK)
        return false;
    return !tsl_run_has_choice(run);
}

// The campaign under way.  It may be left in the middle, so nothing of it lives in locals.
typedef struct voyage {
    tsl_campaign *c;
    flight f;
    tsl_run run; // collected last
    uint64_t submitted;
    uint64_t events; // of all Traces
    double begun;
    double late_since; // when the first Trace behind the deadline came, or 0
    uint64_t clocked;  // runs when the clock was looked at last
    double fastest;    // time of a run since `slow` was decided
    bool slow;         // all of the last runs were
    bool done, spent, stop, only_one;
    bool unseen; // the observer has yet to see the run
    bool cut;    // the deadline passed before everything was learned
    bool ok;
    tsl_err *err;
} voyage;

// Not after each of many short runs.  On a busy machine some runs seem to take long, but hardly
// sixteen in a row.
static void look_at_clock(voyage *v) {
    tsl_progress *p = &v->c->progress;
    if (p->executions >= 64 && (p->executions & 63) && !v->slow)
        return;
    double now = tsl_clock_now() - v->begun;
    double each = (now - p->seconds) / (double)(p->executions - v->clocked);
    v->fastest = each < v->fastest ? each : v->fastest;
    v->clocked = p->executions;
    p->seconds = now;
    if ((p->executions & 15) == 0) {
        v->slow = v->fastest > SLOW_RUN;
        v->fastest = DBL_MAX;
    }
}

// Plans in flight hide the latency of short runs; of long ones they take memory, and delay what the
// strategy learns.  What it plans depends on what it has learned, so the clock has no say unless all
// runs are very slow.
static size_t allowed_in_flight(const voyage *v) {
    uint64_t runs = v->c->progress.executions;
    size_t all_busy = v->c->runner->workers + 1;
    if (runs < 16 || v->slow)
        return runs < 2 ? 1 : all_busy;
    uint64_t most = all_busy + EVENTS_IN_FLIGHT / (v->events / runs + 1);
    return most < MAX_PLANS ? (size_t)most : MAX_PLANS;
}

// What is in flight when the time is up was run for nothing.  Of short runs that is not worth a look at the clock.
static bool would_come_late(const voyage *v) {
    double each = v->clocked ? v->c->progress.seconds / (double)v->clocked : 0;
    return each > SHORT_RUN && (double)v->f.count * each > tsl_deadline_left();
}

// Submits as long as there is room, a Plan and budget.
static bool feed(voyage *v) {
    tsl_campaign *c = v->c;
    flight *f = &v->f;
    size_t most = allowed_in_flight(v);
    while (!v->done && !v->spent && f->count < most && c->runner->room(c->runner->self)) {
        v->spent = (c->budget.runs && v->submitted >= c->budget.runs) || tsl_deadline_passed();
        if (v->spent || would_come_late(v))
            break;
        tsl_plan *plan = flight_end(f);
        enum tsl_next next = c->strategy->kind->next(c->strategy, plan);
        if (next == TSL_NEXT_WAIT)
            break;
        if (next == TSL_NEXT_DONE) {
            v->done = true;
            break;
        }
        if (!c->runner->submit(c->runner->self, plan, v->err))
            return false;
        f->count++;
        v->submitted++;
    }
    return true;
}

static void observe(voyage *v) {
    tsl_campaign *c = v->c;
    v->unseen = false;
    v->stop = !c->observer.run(c->observer.self, &v->f.plans[v->f.first], &v->run, &c->progress);
}

// When the time is up nothing is learned any more, but what failed is seen.
static void take(voyage *v) {
    tsl_campaign *c = v->c;
    const tsl_plan *plan = &v->f.plans[v->f.first];
    bool late = tsl_deadline_passed();
    v->cut |= late;
    if (late && !tsl_outcome_is_bug(v->run.outcome))
        return;
    bool fresh = count(c, &v->run);
    c->progress.plan = plan;
    v->unseen = true;
    if (!late) {
        c->strategy->kind->learn(c->strategy, plan, &v->run);
        look(c, &v->run, fresh);
    }
    v->events += v->run.trace.nevents;
    look_at_clock(v);
    observe(v);
    v->only_one = is_only_behaviour(&v->run);
}

// What was in flight at the end does not count.
static bool forget(voyage *v) {
    const tsl_runner *runner = v->c->runner;
    if (runner->forget)
        return runner->forget(runner->self, v->err);
    bool ok = true;
    while (ok && runner->in_flight(runner->self))
        ok = tsl_runner_collect(runner, &v->run, v->err);
    return ok;
}

// Each of many runs in flight may take its time to be ended, though none of them takes long.
static bool is_too_late(voyage *v) {
    if (!tsl_deadline_passed())
        return false;
    double now = tsl_clock_now();
    v->late_since = v->late_since == 0 ? now : v->late_since;
    bool too_late = now - v->late_since > LATE_SECONDS;
    v->cut |= too_late;
    return too_late;
}

static void loop(void *self) {
    voyage *v = self;
    tsl_campaign *c = v->c;
    flight *f = &v->f;
    for (;;) {
        if (v->stop || v->only_one || is_too_late(v)) {
            v->ok = forget(v);
            return;
        }
        v->ok = feed(v);
        if (!v->ok || f->count == 0)
            return;
        v->ok = tsl_runner_collect(c->runner, &v->run, v->err);
        if (!v->ok)
            return;
        take(v);
        f->first = (f->first + 1) % MAX_PLANS;
        f->count--;
    }
}

// The deadline passed while the strategy was at work: it is not to be used again.
static void abandon(voyage *v) {
    tsl_campaign *c = v->c;
    c->abandoned = v->cut = v->ok = true;
    if (v->unseen)
        observe(v);
    while (v->ok && !is_too_late(v) && c->runner->in_flight(c->runner->self))
        v->ok = tsl_runner_collect(c->runner, &v->run, v->err);
    if (v->ok)
        v->ok = forget(v);
}

bool tsl_campaign_run(tsl_campaign *c, tsl_claim *claim, tsl_err *err) {
    voyage v = {.c = c, .err = err, .begun = tsl_clock_now(), .fastest = DBL_MAX};
    for (size_t i = 0; i < MAX_PLANS; i++)
        tsl_plan_init(&v.f.plans[i]);
    tsl_monitor_init(&c->monitor, c->races, c->strategy->kind->samples);
    if (!tsl_deadline_run(loop, &v))
        abandon(&v);
    c->progress.seconds = tsl_clock_now() - v.begun;
    if (v.ok)
        *claim = make_claim(c, (v.done || v.only_one) && !v.cut, v.only_one,
                            v.stop || tsl_deadline_interrupted());
    tsl_monitor_drop(&c->monitor);
    tsl_run_drop(&v.run);
    for (size_t i = 0; i < MAX_PLANS; i++)
        tsl_plan_drop(&v.f.plans[i]);
    return v.ok;
}

void tsl_campaign_drop(tsl_campaign *c) {
    tsl_set_drop(&c->hashes);
    tsl_set_drop(&c->canons);
    tsl_set_drop(&c->path_hashes);
}

// As runs so far stand to their share of the tree (after Kilby et al., Estimating search tree size,
// AAAI 2006).
double tsl_progress_left(const tsl_progress *p) {
    if (p->share <= 0 || p->share >= 1)
        return 0;
    return (double)p->executions * (1 - p->share) / p->share + 1;
}

bool tsl_runner_collect(const tsl_runner *runner, tsl_run *run, tsl_err *err) {
    tsl_trace trace;
    if (!runner->collect(runner->self, &trace, err))
        return false;
    tsl_run_take(run, &trace);
    return true;
}

bool tsl_runner_run(const tsl_runner *runner, const tsl_plan *plan, tsl_run *run, tsl_err *err) {
    return runner->submit(runner->self, plan, err) && tsl_runner_collect(runner, run, err);
}
