// Two passes, each keeping a candidate only if a run shows the same bug:
//
//   cut    the shortest prefix after which the runner, left to itself and
//          switching only when a thread blocks, still reaches the bug
//   merge  for a thread that runs, is left and runs again: run both parts at
//          once, whatever lay between coming after
//
// A Plan that stops where its prefix ends has no tail to reach the goal, so there nothing
// may be cut off behind; instead
//
//   drop   leave out one stretch of a thread
//
// Every candidate is executed, so the result is never a guess.
#include "explore/minimise.h"

#include "base/deadline.h"

typedef struct job {
    const tsl_runner *runner;
    const tsl_goal *goal;
    unsigned runs;
    tsl_plan best;
    tsl_run run; // of the candidate tried last
} job;

static bool may_try(const job *j) { return j->runs > 0 && !tsl_deadline_passed(); }

size_t tsl_minimise_switches(const tsl_items *items) {
    size_t switches = 0;
    int last = -1;
    for (size_t i = 0; i < items->len; i++) {
        if (items->data[i].kind != TSL_ITEM_RUN)
            continue;
        switches += last >= 0 && last != items->data[i].value;
        last = items->data[i].value;
    }
    return switches;
}

// Runs a candidate; if it shows the bug with fewer switches, what it ran is the new best.
static bool attempt(job *j, const tsl_plan *candidate, bool *better, tsl_err *err) {
    *better = false;
    j->runs--;
    if (!tsl_runner_run(j->runner, candidate, &j->run, err))
        return false;
    if (!j->goal->same(j->goal->self, &j->run))
        return true;
    tsl_plan ran;
    tsl_plan_init(&ran);
    tsl_trace_to_plan(&j->run.trace, candidate, &ran);
    if (tsl_minimise_switches(&ran.items) < tsl_minimise_switches(&j->best.items)) {
        tsl_plan_copy(&j->best, &ran);
        *better = true;
    }
    tsl_plan_drop(&ran);
    return true;
}

static bool cut(job *j, tsl_err *err) {
    tsl_plan candidate;
    tsl_plan_init(&candidate);
    bool ok = true, better = false;
    size_t most = j->best.items.len;
    for (size_t keep = 0; ok && !better && keep < most && may_try(j); keep++) {
        tsl_plan_copy(&candidate, &j->best);
        candidate.policy = TSL_POLICY_STAY;
        candidate.items.len = keep;
        ok = attempt(j, &candidate, &better, err);
    }
    tsl_plan_drop(&candidate);
    return ok;
}

// Moves entry `from` to right behind entry `to`.
static void move_item(tsl_items *items, size_t from, size_t to) {
    tsl_item moved = items->data[from];
    for (size_t i = from; i > to + 1; i--)
        items->data[i] = items->data[i - 1];
    items->data[to + 1] = moved;
}

static bool merge_once(job *j, bool *better, tsl_err *err) {
    tsl_plan candidate;
    tsl_plan_init(&candidate);
    bool ok = true;
    *better = false;
    for (size_t i = 0; ok && !*better && i < j->best.items.len && may_try(j); i++) {
        if (j->best.items.data[i].kind != TSL_ITEM_RUN)
            continue;
        for (size_t k = i + 2; ok && k < j->best.items.len && may_try(j); k++) {
            const tsl_item *later = &j->best.items.data[k];
            if (later->kind != TSL_ITEM_RUN || later->value != j->best.items.data[i].value)
                continue;
            tsl_plan_copy(&candidate, &j->best);
            candidate.policy = TSL_POLICY_STAY;
            move_item(&candidate.items, k, i);
            candidate.items.len = k + 1; // what came after may not be possible any more
            ok = attempt(j, &candidate, better, err);
            break;
        }
    }
    tsl_plan_drop(&candidate);
    return ok;
}

bool tsl_minimise(const tsl_runner *runner, const tsl_goal *goal, tsl_plan *plan, unsigned runs,
                  tsl_err *err) {
    job j = {.runner = runner, .goal = goal, .runs = runs};
    tsl_plan_init(&j.best);
    tsl_plan_copy(&j.best, plan);
    bool ok = cut(&j, err), better = true;
    while (ok && better && may_try(&j))
        ok = merge_once(&j, &better, err);
    if (ok)
        tsl_plan_copy(plan, &j.best);
    tsl_plan_drop(&j.best);
    tsl_run_drop(&j.run);
    return ok;
}

// ---------------------------------------------------------------- where the prefix ends

static size_t steps(const tsl_items *items) {
    size_t n = 0;
    for (size_t i = 0; i < items->len; i++)
        n += items->data[i].kind == TSL_ITEM_RUN ? items->data[i].count : 0;
    return n;
}

// Fewer switches, or as many and fewer steps.
static bool attempt_stop(job *j, const tsl_plan *candidate, bool *better, tsl_err *err) {
    *better = false;
    j->runs--;
    if (!tsl_runner_run(j->runner, candidate, &j->run, err))
        return false;
    if (!j->goal->same(j->goal->self, &j->run))
        return true;
    tsl_plan ran;
    tsl_plan_init(&ran);
    tsl_trace_to_plan(&j->run.trace, candidate, &ran);
    size_t now = tsl_minimise_switches(&ran.items), then = tsl_minimise_switches(&j->best.items);
    *better = now < then || (now == then && steps(&ran.items) < steps(&j->best.items));
    if (*better)
        tsl_plan_copy(&j->best, &ran);
    tsl_plan_drop(&ran);
    return true;
}

// A choice goes with the step in front of it.
static void drop_item(tsl_items *items, size_t at) {
    size_t n = 1;
    while (at + n < items->len && items->data[at + n].kind == TSL_ITEM_CHOICE)
        n++;
    for (size_t i = at; i + n < items->len; i++)
        items->data[i] = items->data[i + n];
    items->len -= n;
}

static bool shorten_once(job *j, bool *better, tsl_err *err) {
    tsl_plan candidate;
    tsl_plan_init(&candidate);
    bool ok = true;
    *better = false;
    for (size_t i = j->best.items.len; ok && !*better && i-- > 0 && may_try(j);) {
        if (j->best.items.data[i].kind != TSL_ITEM_RUN)
            continue;
        tsl_plan_copy(&candidate, &j->best);
        drop_item(&candidate.items, i);
        ok = attempt_stop(j, &candidate, better, err);
        size_t k = i + 2;
        while (k < j->best.items.len &&
               (j->best.items.data[k].kind != TSL_ITEM_RUN ||
                j->best.items.data[k].value != j->best.items.data[i].value))
            k++;
        if (!ok || *better || k >= j->best.items.len || !may_try(j))
            continue;
        tsl_plan_copy(&candidate, &j->best);
        move_item(&candidate.items, k, i);
        ok = attempt_stop(j, &candidate, better, err);
    }
    tsl_plan_drop(&candidate);
    return ok;
}

bool tsl_minimise_stop(const tsl_runner *runner, const tsl_goal *goal, tsl_plan *plan,
                       unsigned runs, tsl_err *err) {
    job j = {.runner = runner, .goal = goal, .runs = runs};
    tsl_plan_init(&j.best);
    tsl_plan_copy(&j.best, plan);
    bool ok = true, better = true;
    while (ok && better && may_try(&j))
        ok = shorten_once(&j, &better, err);
    if (ok)
        tsl_plan_copy(plan, &j.best);
    tsl_plan_drop(&j.best);
    tsl_run_drop(&j.run);
    return ok;
}
