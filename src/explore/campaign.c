// The loop that keeps the runner busy and shows each run to the strategy and the observer.
#include "explore/campaign.h"

#include <float.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "explore/counting.h"

#define MAX_PLANS 128
#define EVENTS_IN_FLIGHT (1u << 20)
#define SLOW_RUN 0.02    // seconds
#define SHORT_RUN 0.0001 // seconds
#define LATE_SECONDS 0.1 // after the deadline, for Plans that were in flight

// ---------------------------------------------------------------- the claim

// Runs that came to an end by themselves, well or not.
static uint64_t ended_runs(const tsl_counts *n) {
    uint64_t ended = n->outcomes[TSL_OUT_OK];
    for (unsigned outcome = 0; outcome < TSL_OUT_COUNT; outcome++)
        if (tsl_outcome_is_bug(outcome))
            ended += n->outcomes[outcome];
    return ended;
}

static void weaken_by_flag(const tsl_counts *n, uint32_t flag, enum tsl_reason reason,
                           tsl_claim *claim) {
    tsl_claim_weaken(claim, reason, (n->flags & flag) != 0);
}

// Adds what the runs showed to what the strategy says of itself.
static void weaken_by_runs(const tsl_campaign *c, bool done, bool only_one, tsl_claim *claim) {
    const tsl_counts *n = c->counts;
    if (!only_one) { // else earlier runs that were cut began as the only behaviour there is
        tsl_claim_weaken(claim, TSL_REASON_RUN_STEPS, n->outcomes[TSL_OUT_STEP_LIMIT]);
        tsl_claim_weaken(claim, TSL_REASON_RUN_SECONDS,
                         n->outcomes[TSL_OUT_TIME_LIMIT] - n->halted);
        tsl_claim_weaken(claim, TSL_REASON_HALTED, n->halted);
        tsl_claim_weaken(claim, TSL_REASON_RUNTIME, n->outcomes[TSL_OUT_RUNTIME]);
    }
    // The strategy may have counted some of them itself.
    if (n->diverged > claim->times[TSL_REASON_DIVERGED])
        claim->times[TSL_REASON_DIVERGED] = n->diverged;
    if (!tsl_claim_has(claim, TSL_REASON_RUN_STEPS))
        weaken_by_flag(n, TSL_TRACE_CUT, TSL_REASON_RUN_STEPS, claim);
    // Left-out accesses take nothing from a sample, but a search has not seen every order.
    if (done || !c->strategy->kind->samples)
        weaken_by_flag(n, TSL_TRACE_FILTERED, TSL_REASON_FILTERED, claim);
    weaken_by_flag(n, TSL_TRACE_WEAK, TSL_REASON_SC_ONLY, claim);
    weaken_by_flag(n, TSL_TRACE_CONCRETISED, TSL_REASON_CONCRETISED, claim);
    weaken_by_flag(n, TSL_TRACE_DEPTH, TSL_REASON_DEPTH, claim);
}

// The strategy says if it has been through everything up to a bound.
static enum tsl_reach reach_of(const tsl_strategy *s, bool done) {
    bool samples = s->kind->samples;
    if (s->claim.reach == TSL_REACH_BOUNDED && (done || samples))
        return TSL_REACH_BOUNDED;
    return done ? TSL_REACH_ALL : samples ? TSL_REACH_SAMPLES : TSL_REACH_PART;
}

// Which limit of the campaign ended it?
static void weaken_by_budget(const tsl_campaign *c, tsl_claim *claim) {
    uint64_t executions = c->counts->executions, runs = c->runs;
    bool enough_runs = !runs || executions >= runs;
    bool none_begun = !executions && !runs;
    if (claim->reach == TSL_REACH_SAMPLES && (!enough_runs || none_begun))
        tsl_claim_weaken(claim, TSL_REASON_TIME, 1);
    if (claim->reach == TSL_REACH_PART)
        tsl_claim_weaken(claim, runs && enough_runs ? TSL_REASON_RUNS : TSL_REASON_TIME, 1);
}

// The strategy is `done`, or the observer or a signal stopped the campaign, or a limit did.
static tsl_claim make_claim(const tsl_campaign *c, bool done, bool only_one, bool stopped) {
    tsl_claim claim = c->strategy->claim;
    claim.ended = ended_runs(c->counts);
    claim.reach = reach_of(c->strategy, done);
    weaken_by_runs(c, done, only_one, &claim);
    if (!stopped)
        weaken_by_budget(c, &claim);
    return claim;
}

// One thread and no choice: there is nothing to sample.
static bool is_only_behaviour(const tsl_run *run) {
    if (!(run->head->flags & TSL_TRACE_NO_THREADS) || (run->head->flags & TSL_TRACE_INPUTS) ||
        run->outcome != TSL_OUT_OK)
        return false;
    return !tsl_run_has_choice(run);
}

// ---------------------------------------------------------------- the loop

// The campaign under way.  The deadline may leave the loop anywhere, so its state does not live in
// locals.
typedef struct voyage {
    tsl_campaign *c;
    tsl_plan plans[MAX_PLANS]; // a ring; those in flight are `count` of them, the oldest is `first`
    size_t first, count;
    tsl_counting counting;
    tsl_run run; // the last one that was collected
    uint64_t submitted;
    uint64_t events; // of all Traces
    double begun;
    double late_since; // when the first Trace after the deadline came, or 0
    uint64_t clocked;  // number of runs when the clock was read last
    double fastest;    // shortest run since `slow` was decided
    bool slow;         // all of the last runs took long
    bool done;         // the strategy has no more Plans
    bool spent;        // the budget is used up
    bool stop;         // the observer says so
    bool only_one;     // the program can behave in one way only
    bool unseen;       // the observer was not shown the last run yet
    bool cut;          // the deadline passed before everything was learned
    bool ok;
    tsl_err *err;
} voyage;

// The clock is not read after each of many short runs.  On a busy machine some runs seem to take long,
// but hardly sixteen in a row.
static void look_at_clock(voyage *v) {
    tsl_counts *n = v->c->counts;
    if (n->executions >= 64 && (n->executions & 63) && !v->slow)
        return;
    double now = tsl_clock_now() - v->begun;
    double each = (now - n->seconds) / (double)(n->executions - v->clocked);
    v->fastest = each < v->fastest ? each : v->fastest;
    v->clocked = n->executions;
    n->seconds = now;
    if ((n->executions & 15) == 0) {
        v->slow = v->fastest > SLOW_RUN;
        v->fastest = DBL_MAX;
    }
}

// Plans in flight hide the latency of short runs.  The Traces of long runs take much memory, and the
// strategy learns from them late.  What the strategy plans depends on what it has learned so far; so
// that a seed gives the same campaign again, the clock has no say here unless all runs are very slow.
static size_t allowed_in_flight(const voyage *v) {
    uint64_t runs = v->c->counts->executions;
    size_t all_busy = v->c->runner->workers + 1;
    if (runs < 16 || v->slow)
        return runs < 2 ? 1 : all_busy;
    uint64_t most = all_busy + EVENTS_IN_FLIGHT / (v->events / runs + 1);
    return most < MAX_PLANS ? (size_t)most : MAX_PLANS;
}

// Plans that are in flight when the time is up are run for nothing.  Short runs are not worth reading
// the clock.
static bool would_come_late(const voyage *v) {
    double each = v->clocked ? v->c->counts->seconds / (double)v->clocked : 0;
    return each > SHORT_RUN && (double)v->count * each > tsl_deadline_left();
}

// Submits Plans as long as the runner has room, the strategy has a Plan and the budget lasts.
static bool feed(voyage *v) {
    tsl_campaign *c = v->c;
    size_t most = allowed_in_flight(v);
    while (!v->done && !v->spent && v->count < most && c->runner->room(c->runner->self)) {
        v->spent = (c->runs && v->submitted >= c->runs) || tsl_deadline_passed();
        if (v->spent || would_come_late(v))
            break;
        tsl_plan *plan = &v->plans[(v->first + v->count) % MAX_PLANS];
        enum tsl_next next = c->strategy->kind->next(c->strategy, plan);
        if (next == TSL_NEXT_WAIT)
            break;
        if (next == TSL_NEXT_DONE) {
            v->done = true;
            break;
        }
        if (!c->runner->submit(c->runner->self, plan, v->err))
            return false;
        v->count++;
        v->submitted++;
    }
    return true;
}

static void observe(voyage *v) {
    tsl_campaign *c = v->c;
    v->unseen = false;
    v->stop = !c->observer.run(c->observer.self, c, &v->run);
}

// After the deadline nothing is learned, but runs that fail are still shown to the observer.
static void take(voyage *v) {
    tsl_campaign *c = v->c;
    const tsl_plan *plan = &v->plans[v->first];
    bool late = tsl_deadline_passed();
    v->cut |= late;
    if (late && !tsl_outcome_is_bug(v->run.outcome))
        return;
    bool fresh = tsl_count_run(&v->counting, &v->run);
    c->plan = plan;
    v->unseen = true;
    if (!late) {
        c->strategy->kind->learn(c->strategy, plan, &v->run);
        tsl_count_learned(&v->counting, &v->run, fresh);
    }
    v->events += v->run.trace.nevents;
    look_at_clock(v);
    observe(v);
    v->only_one = is_only_behaviour(&v->run);
}

// Drops the Plans that are in flight when the campaign ends.
static bool forget(voyage *v) {
    const tsl_runner *runner = v->c->runner;
    if (runner->forget)
        return runner->forget(runner->self, v->err);
    bool ok = true;
    while (ok && runner->in_flight(runner->self))
        ok = tsl_runner_collect(runner, &v->run, NULL, v->err);
    return ok;
}

// To end one run takes little time, but to end many that are in flight may take long.
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
    for (;;) {
        if (v->stop || v->only_one || is_too_late(v)) {
            v->ok = forget(v);
            return;
        }
        v->ok = feed(v);
        if (!v->ok || v->count == 0)
            return;
        tsl_campaign *c = v->c;
        v->ok = tsl_runner_collect(c->runner, &v->run, tsl_strategy_known(c->strategy), v->err);
        if (!v->ok)
            return;
        take(v);
        v->first = (v->first + 1) % MAX_PLANS;
        v->count--;
    }
}

// The deadline passed while the strategy was at work, so the strategy must not be used again.
static void abandon(voyage *v) {
    tsl_campaign *c = v->c;
    c->abandoned = v->cut = v->ok = true;
    if (v->unseen)
        observe(v);
    while (v->ok && !is_too_late(v) && c->runner->in_flight(c->runner->self))
        v->ok = tsl_runner_collect(c->runner, &v->run, NULL, v->err);
    if (v->ok)
        v->ok = forget(v);
}

bool tsl_campaign_run(tsl_campaign *c, tsl_claim *claim, tsl_err *err) {
    voyage v = {.c = c, .err = err, .begun = tsl_clock_now(), .fastest = DBL_MAX};
    for (size_t i = 0; i < MAX_PLANS; i++)
        tsl_plan_init(&v.plans[i]);
    tsl_counting_init(&v.counting, c);
    if (!tsl_deadline_run(loop, &v))
        abandon(&v);
    c->counts->seconds = tsl_clock_now() - v.begun;
    c->counts->mispredicted = c->strategy->mispredicted;
    if (v.ok)
        *claim = make_claim(c, (v.done || v.only_one) && !v.cut, v.only_one,
                            v.stop || tsl_deadline_interrupted());
    tsl_counting_drop(&v.counting);
    tsl_run_drop(&v.run);
    for (size_t i = 0; i < MAX_PLANS; i++)
        tsl_plan_drop(&v.plans[i]);
    return v.ok;
}

// The runs so far are to all runs as the share of the tree that was explored is to the whole tree
// (after Kilby et al., Estimating search tree size, AAAI 2006).
double tsl_campaign_left(const tsl_campaign *c) {
    double share = c->strategy->share;
    if (share <= 0 || share >= 1)
        return 0;
    return (double)c->counts->executions * (1 - share) / share + 1;
}
