#include "explore/race_show.h"

#include <string.h>

#include "base/deadline.h"
#include "explore/plan.h"
#include "model/chain.h"

// ---------------------------------------------------------------- right before the last step

bool tsl_race_is_at_end(const tsl_run *run, tsl_step_view last[2]) {
    size_t at[2];
    tsl_access x, y;
    tsl_run before;
    if (!tsl_run_last_step(run, &at[1]))
        return false;
    before = tsl_run_until(run, at[1]);
    return tsl_run_last_step(&before, &at[0]) && tsl_run_step(run, at[0], &last[0]) &&
           tsl_run_step(run, at[1], &last[1]) && last[0].op.thread != last[1].op.thread &&
           tsl_race_of(&last[0].op, &last[1].op, &x, &y);
}

// ---------------------------------------------------------------- by the clocks

// A run with its clocks: `sync.races` are the steps that race with the last one.
typedef struct clocks {
    tsl_history history;
    tsl_sync sync;
} clocks;

static void clocks_read(clocks *c, const tsl_run *run) {
    tsl_history_init(&c->history);
    tsl_sync_init(&c->sync, true);
    tsl_history_read(&c->history, run);
    for (uint32_t s = 0; s < c->history.steps.len && !tsl_deadline_passed(); s++)
        tsl_sync_read(&c->sync, &c->history, s);
}

static void clocks_drop(clocks *c) {
    tsl_history_drop(&c->history);
    tsl_sync_drop(&c->sync);
}

bool tsl_race_is_with(const tsl_run *run, uint16_t thread, uint32_t site) {
    clocks c;
    bool is = false;
    clocks_read(&c, run);
    for (size_t i = 0; i < c.sync.races.len && !tsl_deadline_passed(); i++) {
        const tsl_step *step = &c.history.steps.data[c.sync.races.data[i]];
        is |= step->thread == thread && step->site == site;
    }
    clocks_drop(&c);
    return is;
}

static uint32_t choose(const clocks *c, const tsl_lines *lines, uint32_t site) {
    const tsl_step_list *races = &c->sync.races;
    for (size_t i = 0; i < races->len; i++)
        if (lines->same(lines->self, c->history.steps.data[races->data[i]].site, site))
            return races->data[i];
    return races->data[0];
}

static size_t position_of(const tsl_run *run, const tsl_history *h, uint32_t s) {
    return tsl_run_behind_notes(run, s ? h->steps.data[s - 1].next_event : 0);
}

static void find_weak(const tsl_lines *lines, uint32_t site, tsl_shown_race *out) {
    clocks c;
    clocks_read(&c, &out->run);
    if (c.sync.races.len && !tsl_deadline_passed()) {
        uint32_t second = (uint32_t)c.history.steps.len - 1;
        uint32_t first = choose(&c, lines, site);
        tsl_chain_find(&out->run, first, second, &out->chain);
        out->at[0] = position_of(&out->run, &c.history, first);
        out->at[1] = position_of(&out->run, &c.history, second);
        out->is_race = out->is_weak = true;
    }
    clocks_drop(&c);
}

static void find(const tsl_lines *lines, uint32_t site, tsl_shown_race *out) {
    tsl_step_view step[2];
    out->is_race = tsl_race_is_at_end(&out->run, step);
    for (unsigned i = 0; out->is_race && i < 2; i++)
        out->at[i] = step[i].event;
    if (!out->is_race)
        find_weak(lines, site, out);
}

// ---------------------------------------------------------------- how the threads stood

// How the threads stand after so many steps of the Plan.  The caller frees *head, which is NULL if
// the run did not come so far.
static bool look_after(const tsl_runner *runner, const tsl_plan *plan, uint64_t steps,
                       tsl_trace_head **head, tsl_err *err) {
    tsl_plan before;
    tsl_run run = {0};
    *head = NULL;
    tsl_plan_init(&before);
    tsl_plan_copy(&before, plan);
    tsl_plan_cut(&before, steps);
    before.flags |= TSL_PLAN_STOP | TSL_PLAN_STACKS;
    bool ok = tsl_runner_run(runner, &before, &run, err);
    if (ok && run.outcome == TSL_OUT_STOPPED) {
        *head = tsl_alloc(sizeof **head);
        memcpy(*head, run.head, sizeof **head);
    }
    tsl_run_drop(&run);
    tsl_plan_drop(&before);
    return ok;
}

static tsl_thread_info *find_thread(tsl_trace_head *head, uint16_t thread) {
    for (uint32_t i = 0; i < head->nthreads && i < TSL_TRACE_THREADS; i++)
        if (head->threads[i].thread == thread)
            return &head->threads[i];
    return NULL;
}

// If the accesses are far apart, the first thread has gone on when the second one stands before its
// access.  So each is looked at by itself.
static bool look_at_both(const tsl_runner *runner, const tsl_plan *plan, tsl_shown_race *race,
                         tsl_err *err) {
    uint64_t before[2];
    tsl_step_view first;
    tsl_trace_head *other = NULL;
    for (unsigned i = 0; i < 2; i++)
        before[i] = tsl_run_steps_before(&race->run, race->at[i], true);
    tsl_run_step(&race->run, race->at[0], &first);
    if (!look_after(runner, plan, before[race->is_weak], &race->before, err))
        return false;
    if (!race->is_weak || !race->before)
        return true;
    bool ok = look_after(runner, plan, before[0], &other, err);
    tsl_thread_info *from = other ? find_thread(other, first.op.thread) : NULL;
    tsl_thread_info *to = find_thread(race->before, first.op.thread);
    if (from && to)
        *to = *from;
    tsl_free(other);
    return ok;
}

// ---------------------------------------------------------------- all of it

// The memory of a run is used again by the next one, so the Plan is run once more after the threads
// were looked at.  A program that does not repeat itself may take another way then.
bool tsl_race_show(const tsl_runner *runner, const tsl_plan *plan, const tsl_lines *lines,
                   uint32_t site, tsl_shown_race *out, tsl_err *err) {
    if (!tsl_runner_run(runner, plan, &out->run, err))
        return false;
    if (out->run.outcome == TSL_OUT_STOPPED)
        find(lines, site, out);
    if (!out->is_race)
        return true;
    uint64_t hash = tsl_trace_hash(&out->run.trace);
    if (!look_at_both(runner, plan, out, err) || !tsl_runner_run(runner, plan, &out->run, err))
        return false;
    out->is_race = out->before && tsl_trace_hash(&out->run.trace) == hash;
    return true;
}

void tsl_shown_race_drop(tsl_shown_race *shown) {
    tsl_run_drop(&shown->run);
    tsl_free(shown->before);
    tsl_vec_drop(&shown->chain);
}
