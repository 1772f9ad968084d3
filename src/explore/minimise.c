// Two passes, each keeping a candidate only if a run shows the same bug:
//
//   cut    the shortest prefix after which the runner, left to itself and
//          switching only when a thread blocks, still reaches the bug
//   merge  for a thread that runs, is left and runs again: run both parts at
//          once, and whatever lay between them afterwards
//
// A Plan that stops where its prefix ends needs its whole prefix to reach the goal, so the prefix is
// not cut there.  Its pass is
//
//   drop   leave out one stretch of a thread, or merge it with the next stretch of that thread
//
// Every candidate is executed, so the result is never a guess.
#include "explore/minimise.h"

#include "base/deadline.h"
#include "explore/plan.h"

typedef struct job {
    const tsl_runner *runner;
    const tsl_goal *goal;
    unsigned runs; // that are left
    bool stops;    // the Plan stops where its prefix ends
    tsl_plan best;
    tsl_run run;        // of the candidate that was tried last
    tsl_plan candidate; // scratch
    bool better;        // the last candidate is the new best
    tsl_err *err;
} job;

static bool may_try(const job *j) { return j->runs > 0 && !tsl_deadline_passed(); }

static size_t switches_of(const tsl_plan *plan) {
    size_t switches = 0;
    int last = -1;
    for (size_t i = 0; i < plan->items.len; i++) {
        if (plan->items.data[i].kind != TSL_ITEM_RUN)
            continue;
        switches += last >= 0 && last != plan->items.data[i].value;
        last = plan->items.data[i].value;
    }
    return switches;
}

// Fewer switches; or, as there is no tail that makes up for steps left out, as many and fewer steps.
static bool is_better(const job *j, const tsl_plan *plan) {
    size_t now = switches_of(plan), then = switches_of(&j->best);
    return now < then ||
           (j->stops && now == then && tsl_plan_length(plan) < tsl_plan_length(&j->best));
}

// Runs the candidate.  If it shows the bug with less, what it ran is the new best.
static bool attempt(job *j) {
    j->better = false;
    j->runs--;
    if (!tsl_runner_run(j->runner, &j->candidate, &j->run, j->err))
        return false;
    if (!j->goal->same(j->goal->self, &j->run))
        return true;
    tsl_plan ran;
    tsl_plan_init(&ran);
    tsl_trace_to_plan(&j->run.trace, &j->candidate, &ran);
    j->better = is_better(j, &ran);
    if (j->better)
        tsl_plan_copy(&j->best, &ran);
    tsl_plan_drop(&ran);
    return true;
}

// ---------------------------------------------------------------- changes

// Moves entry `from` to right behind entry `to`.
static void move_item(tsl_items *items, size_t from, size_t to) {
    tsl_item moved = items->data[from];
    tsl_vec_remove(items, from);
    tsl_vec_insert(items, to + 1, moved);
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

// The next stretch of the same thread, with something in between; the length if there is none.
static size_t next_stretch(const tsl_items *items, size_t i) {
    size_t k = i + 2;
    while (k < items->len &&
           (items->data[k].kind != TSL_ITEM_RUN || items->data[k].value != items->data[i].value))
        k++;
    return k < items->len ? k : items->len;
}

// ---------------------------------------------------------------- passes

static bool cut(job *j) {
    bool ok = true;
    size_t most = j->best.items.len;
    for (size_t keep = 0; ok && !j->better && keep < most && may_try(j); keep++) {
        tsl_plan_copy(&j->candidate, &j->best);
        j->candidate.policy = TSL_POLICY_STAY;
        j->candidate.items.len = keep;
        ok = attempt(j);
    }
    return ok;
}

static bool merge_once(job *j) {
    bool ok = true;
    for (size_t i = 0; ok && !j->better && i < j->best.items.len && may_try(j); i++) {
        size_t k = next_stretch(&j->best.items, i);
        if (j->best.items.data[i].kind != TSL_ITEM_RUN || k == j->best.items.len)
            continue;
        tsl_plan_copy(&j->candidate, &j->best);
        j->candidate.policy = TSL_POLICY_STAY;
        move_item(&j->candidate.items, k, i);
        j->candidate.items.len = k + 1; // what came after may not be possible any more
        ok = attempt(j);
    }
    return ok;
}

static bool drop_once(job *j) {
    bool ok = true;
    for (size_t i = j->best.items.len; ok && !j->better && i-- > 0 && may_try(j);) {
        if (j->best.items.data[i].kind != TSL_ITEM_RUN)
            continue;
        tsl_plan_copy(&j->candidate, &j->best);
        drop_item(&j->candidate.items, i);
        ok = attempt(j);
        size_t k = next_stretch(&j->best.items, i);
        if (!ok || j->better || k == j->best.items.len || !may_try(j))
            continue;
        tsl_plan_copy(&j->candidate, &j->best);
        move_item(&j->candidate.items, k, i);
        ok = attempt(j);
    }
    return ok;
}

// Repeats a pass as long as it finds something better.
static bool repeat(job *j, bool (*pass)(job *j)) {
    bool ok = true;
    j->better = true;
    while (ok && j->better && may_try(j)) {
        j->better = false;
        ok = pass(j);
    }
    return ok;
}

bool tsl_minimise(const tsl_runner *runner, const tsl_goal *goal, tsl_plan *plan, unsigned runs,
                  tsl_err *err) {
    job j = {.runner = runner, .goal = goal, .runs = runs, .err = err};
    j.stops = plan->flags & TSL_PLAN_STOP;
    tsl_plan_init(&j.best);
    tsl_plan_init(&j.candidate);
    tsl_plan_copy(&j.best, plan);
    bool ok = j.stops ? repeat(&j, drop_once) : cut(&j) && repeat(&j, merge_once);
    if (ok)
        tsl_plan_copy(plan, &j.best);
    tsl_plan_drop(&j.best);
    tsl_plan_drop(&j.candidate);
    tsl_run_drop(&j.run);
    return ok;
}
