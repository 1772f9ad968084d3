#include "explore/confirm.h"

#include "base/clock.h"
#include "base/deadline.h"
#include "explore/minimise.h"

// One suspect that is being confirmed.
typedef struct job {
    const tsl_runner *runner;
    const tsl_race_reporter *reporter;
    tsl_suspect *suspect;
    unsigned runs;  // most of them to make a Plan shorter
    double seconds; // the share of this suspect in what time is left
    bool confirmed;
    tsl_err *err;
} job;

// ---------------------------------------------------------------- goals

static bool is_at(const tsl_step_view *step, const tsl_stand *stand) {
    return step->op.thread == stand->thread && step->site == stand->site &&
           step->op.kind == stand->kind;
}

static bool stands(const tsl_run *run, const tsl_stand *side) {
    tsl_step_view step;
    for (size_t at = tsl_run_behind(run); tsl_run_pending(run, &at, &step);)
        if (step.op.thread == side->thread)
            return is_at(&step, side) && step.addr == side->addr;
    return false;
}

static bool both_stand(void *self, const tsl_run *run) {
    const tsl_suspect *s = self;
    return run->outcome == TSL_OUT_STOPPED && stands(run, &s->side[0]) && stands(run, &s->side[1]);
}

// The last step of the run is the second access, and by the clocks it races with the first.
static bool ends_with_second(void *self, const tsl_run *run) {
    const tsl_suspect *s = self;
    tsl_step_view last;
    size_t at;
    return run->outcome == TSL_OUT_STOPPED && tsl_run_last_step(run, &at) &&
           tsl_run_step(run, at, &last) && is_at(&last, &s->side[1]) &&
           tsl_race_is_with(run, s->side[0].thread, s->side[0].site);
}

typedef struct pair {
    const tsl_stand *first, *second;
} pair;

// The last two steps of the run are the two accesses, in this order, and they race.
static bool ends_in_pair(void *self, const tsl_run *run) {
    const pair *p = self;
    tsl_step_view last[2];
    return run->outcome == TSL_OUT_STOPPED && tsl_race_is_at_end(run, last) &&
           is_at(&last[0], p->first) && is_at(&last[1], p->second);
}

// Runs the Plan once: does the run reach the goal, and how long does the run take?
static bool try_plan(const job *j, const tsl_plan *plan, const tsl_goal *goal, bool *reached,
                     double *seconds) {
    tsl_run run = {0};
    double begun = tsl_clock_now();
    bool ok = tsl_runner_run(j->runner, plan, &run, j->err);
    *reached = ok && goal->same(goal->self, &run);
    *seconds = tsl_clock_now() - begun;
    tsl_run_drop(&run);
    return ok;
}

// How many runs of this length fit into the time of this suspect.
static unsigned affordable(const job *j, double run) {
    const double to_show_it = 4;
    double fit = run > 0 ? j->seconds / run - to_show_it : j->runs;
    return fit < 0 ? 0 : fit < j->runs ? (unsigned)fit : j->runs;
}

// ---------------------------------------------------------------- both accesses

static bool is_of(const tsl_run *run, size_t at, const tsl_stand *stand) {
    tsl_step_view step;
    return tsl_run_step(run, at, &step) && step.op.thread == stand->thread &&
           step.site == stand->site;
}

// Runs a Plan that ends with the second access, and reports the race if the run shows it.
static bool show(job *j, const tsl_plan *plan, pair p) {
    tsl_shown_race shown = {0};
    bool ok = tsl_race_show(j->runner, plan, &j->reporter->lines, p.first->site, &shown, j->err);
    j->confirmed = ok && shown.is_race && is_of(&shown.run, shown.at[0], p.first) &&
                   is_of(&shown.run, shown.at[1], p.second);
    if (j->confirmed)
        j->reporter->report(j->reporter->self, j->suspect, plan, &shown);
    tsl_shown_race_drop(&shown);
    return ok;
}

static pair pair_of(const job *j, unsigned first) {
    return (pair){&j->suspect->side[first], &j->suspect->side[1 - first]};
}

// To where both threads stand, and then both accesses.
static void plan_pair(const job *j, pair p, tsl_plan *plan) {
    tsl_plan_init(plan);
    tsl_plan_copy(plan, &j->suspect->plan);
    tsl_plan_step(plan, p.first->thread);
    tsl_plan_step(plan, p.second->thread);
}

static bool show_pair(job *j, unsigned first) {
    tsl_plan plan;
    pair p = pair_of(j, first);
    plan_pair(j, p, &plan);
    bool ok = show(j, &plan, p);
    tsl_plan_drop(&plan);
    return ok;
}

// The same, but the Plan is made shorter together with its two accesses.
static bool shorten_and_show_pair(job *j, unsigned first, unsigned runs) {
    pair p = pair_of(j, first);
    tsl_goal goal = {&p, ends_in_pair};
    tsl_plan plan;
    bool shows;
    double each;
    plan_pair(j, p, &plan);
    bool ok = try_plan(j, &plan, &goal, &shows, &each);
    if (ok && shows)
        ok = tsl_minimise(j->runner, &goal, &plan, runs, j->err) && show(j, &plan, p);
    tsl_plan_drop(&plan);
    return ok;
}

// The thread that ran last goes on: that is one switch less.  But memory is freed second, because the
// run would end at an access to freed memory.
static unsigned goes_first(const tsl_suspect *s) {
    for (unsigned i = 0; i < 2; i++)
        if (s->side[i].kind == TSL_EV_FREE)
            return 1 - i;
    return s->plan.items.len && tsl_vec_last(&s->plan.items).kind == TSL_ITEM_RUN &&
           tsl_vec_last(&s->plan.items).value == s->side[1].thread;
}

// Makes the way to where both stand shorter, and then makes both accesses.
static bool shorten_stand(job *j, unsigned runs) {
    tsl_goal goal = {j->suspect, both_stand};
    if (runs && !tsl_minimise(j->runner, &goal, &j->suspect->plan, runs, j->err))
        return false;
    unsigned first = goes_first(j->suspect);
    return show_pair(j, first) && (j->confirmed || show_pair(j, 1 - first));
}

// Whether a compare-and-swap stores depends on the value that it finds.  So it may race at the end of
// the way that was found, and not at the end of a shorter one.
static bool confirm_stand(job *j) {
    tsl_goal goal = {j->suspect, both_stand};
    tsl_plan found;
    bool shows;
    double each;
    if (!try_plan(j, &j->suspect->plan, &goal, &shows, &each))
        return false;
    if (!shows)
        return true;
    unsigned runs = affordable(j, each);
    tsl_plan_init(&found);
    tsl_plan_copy(&found, &j->suspect->plan);
    bool ok = shorten_stand(j, runs);
    tsl_plan_copy(&j->suspect->plan, &found);
    for (unsigned first = 0; ok && first < 2 && !j->confirmed; first++)
        ok = shorten_and_show_pair(j, first, runs);
    tsl_plan_drop(&found);
    return ok;
}

static bool confirm_weak(job *j) {
    tsl_suspect *s = j->suspect;
    tsl_goal goal = {s, ends_with_second};
    bool shows;
    double each;
    if (!try_plan(j, &s->whole, &goal, &shows, &each))
        return false;
    return !shows || (tsl_minimise(j->runner, &goal, &s->whole, affordable(j, each), j->err) &&
                      show(j, &s->whole, pair_of(j, 0)));
}

static bool confirm(job *j) {
    return confirm_stand(j) &&
           (j->confirmed || j->suspect->how != TSL_FOUND_WEAK || confirm_weak(j));
}

// ---------------------------------------------------------------- all suspects

static bool confirm_found(tsl_suspects *suspects, enum tsl_found_how how, const tsl_runner *runner,
                          unsigned runs, const tsl_race_reporter *reporter, tsl_err *err) {
    bool certain = how != TSL_FOUND_UNORDERED;
    tsl_counts *counts = suspects->campaign->counts;
    for (size_t i = 0; i < suspects->list.len; i++) {
        tsl_suspect *s = &suspects->list.data[i];
        if (s->how != how || reporter->is_known(reporter->self, s->side[0].site, s->side[1].site))
            continue;
        if (tsl_deadline_passed()) {
            counts->untried += certain;
            continue;
        }
        double share = tsl_deadline_left() / (double)(suspects->list.len - i);
        job j = {runner, reporter, s, runs, share, false, err};
        if (!confirm(&j))
            return false;
        if (!j.confirmed && certain)
            ++*(tsl_deadline_passed() ? &counts->untried : &counts->unconfirmed);
    }
    return true;
}

// Of a pair that was found in several ways, the adjacent accesses make the shortest report.
bool tsl_confirm(tsl_suspects *suspects, const tsl_runner *runner, unsigned runs,
                 const tsl_race_reporter *reporter, tsl_err *err) {
    return confirm_found(suspects, TSL_FOUND_ADJACENT, runner, runs, reporter, err) &&
           confirm_found(suspects, TSL_FOUND_UNORDERED, runner, runs, reporter, err) &&
           confirm_found(suspects, TSL_FOUND_WEAK, runner, runs, reporter, err);
}
