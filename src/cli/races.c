#include "cli/races.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/hash.h"
#include "base/mem.h"
#include "explore/minimise.h"
#include "model/chain.h"
#include "model/race.h"

// ---------------------------------------------------------------- suspects

static tsl_stand stand_of(const tsl_history *h, uint32_t s) {
    const tsl_step *step = &h->steps.data[s];
    return (tsl_stand){step->thread, step->kind, step->site, step->key};
}

static uint64_t place_of(const tsl_history *h, uint32_t s) {
    return (uint64_t)h->steps.data[s].site << 8 | h->steps.data[s].kind;
}

static void add_step(tsl_plan *plan, const tsl_step *step) {
    if (step->kind == TSL_EV_BRANCH) // takes no turn
        return;
    tsl_plan_step(plan, step->thread);
    if (step->nchoices > 1)
        tsl_plan_choice(plan, step->choice);
}

static void begin_plan(const tsl_races *r, tsl_plan *plan) {
    tsl_plan_init(plan);
    plan->seed = r->search.seed;
    plan->max_steps = r->search.max_steps;
    plan->flags = r->search.flags | TSL_PLAN_STOP | TSL_PLAN_STACKS;
    if (r->progress && r->progress->plan)
        tsl_plan_copy_inputs(plan, r->progress->plan);
}

// To where both stand.
static void plan_to_stand(tsl_races *r, const tsl_found *f, tsl_plan *plan) {
    const tsl_step *steps = f->history->steps.data;
    tsl_race race = {f->first, TSL_NONE};
    begin_plan(r, plan);
    if (f->how == TSL_FOUND_ADJACENT)
        tsl_race_rest(f->history, &race, &r->rest);
    else
        tsl_sync_rest(f->sync, f->history, f->first, f->second, &r->rest);
    for (uint32_t i = 0; i < f->first; i++)
        add_step(plan, &steps[i]);
    for (size_t i = 0; i < r->rest.len; i++)
        add_step(plan, &steps[r->rest.data[i]]);
}

// The run itself up to the second access, without what has nothing to do with it.
static void plan_whole(const tsl_races *r, const tsl_found *f, tsl_plan *plan) {
    begin_plan(r, plan);
    for (uint32_t i = 0; i <= f->second; i++)
        if (i == f->second || tsl_history_before(f->history, i, f->second))
            add_step(plan, &f->history->steps.data[i]);
}

static uint64_t pair_of(const tsl_found *f) {
    uint64_t a = place_of(f->history, f->first), b = place_of(f->history, f->second);
    return tsl_hash_u64(tsl_hash_u64(0, a < b ? a : b), a < b ? b : a);
}

// One of each kind is kept, and none if the two can stand next to each other for certain.
static bool is_seen(const tsl_races *r, const tsl_found *f) {
    uint64_t pair = pair_of(f);
    return tsl_set_has(&r->seen, pair + TSL_FOUND_ADJACENT) || tsl_set_has(&r->seen, pair + f->how);
}

static bool is_new(tsl_races *r, const tsl_found *f) {
    return !is_seen(r, f) && tsl_set_insert(&r->seen, pair_of(f) + f->how);
}

static bool touches(const tsl_history *h, uint32_t s) {
    for (uint32_t i = h->steps.data[s].accesses; i < tsl_step_accesses_end(h, s); i++)
        if (h->accesses.data[i].kind == TSL_EV_TOUCH)
            return true;
    return false;
}

static void note_touched(tsl_races *r, const tsl_found *f) {
    const tsl_step *a = &f->history->steps.data[f->first], *b = &f->history->steps.data[f->second];
    bool inside = f->how == TSL_FOUND_INSIDE;
    bool first =
        inside ? !tsl_race_may_be_data(f->history, f->first) : touches(f->history, f->first);
    tsl_vec_push(&r->touched, (tsl_touched){.call = first ? a->site : b->site,
                                            .access = first ? b->site : a->site,
                                            .inside = inside});
}

static void found(void *self, const tsl_found *f) {
    tsl_races *r = self;
    if (tsl_deadline_passed()) { // keeping it takes as long as the run is
        r->untried += f->how != TSL_FOUND_UNORDERED && !is_seen(r, f);
        return;
    }
    if (!is_new(r, f))
        return;
    if (f->how == TSL_FOUND_TOUCHED || f->how == TSL_FOUND_INSIDE) {
        note_touched(r, f);
        return;
    }
    tsl_suspect s = {.side = {stand_of(f->history, f->first), stand_of(f->history, f->second)},
                     .how = f->how,
                     .execution = r->progress ? r->progress->executions : 0};
    plan_to_stand(r, f, &s.plan);
    if (f->how == TSL_FOUND_WEAK)
        plan_whole(r, f, &s.whole);
    else
        tsl_plan_init(&s.whole);
    tsl_vec_push(&r->suspects, s);
}

void tsl_races_init(tsl_races *r, const tsl_search *search) {
    *r = (tsl_races){.sink = {r, found}, .search = *search};
}

void tsl_races_clear(tsl_races *r) {
    for (size_t i = 0; i < r->suspects.len; i++) {
        tsl_plan_drop(&r->suspects.data[i].plan);
        tsl_plan_drop(&r->suspects.data[i].whole);
    }
    tsl_vec_clear(&r->suspects);
    tsl_vec_clear(&r->touched);
    tsl_set_clear(&r->seen);
}

void tsl_races_drop(tsl_races *r) {
    tsl_races_clear(r);
    tsl_vec_drop(&r->suspects);
    tsl_vec_drop(&r->touched);
    tsl_vec_drop(&r->rest);
    tsl_set_drop(&r->seen);
}

void tsl_races_note(const tsl_races *r, const tsl_sites *sites, tsl_census *census) {
    for (size_t i = 0; i < r->touched.len && census->nnotes < TSL_MAX_NOTES; i++) {
        tsl_note *note = &census->notes[census->nnotes++];
        tsl_where where = {.file = "?"};
        tsl_sites_get(sites, r->touched.data[i].access, &where);
        bool inside = r->touched.data[i].inside;
        unsigned reason = inside ? TSL_REASON_UNCONTROLLED : TSL_REASON_UNKNOWN_CALL;
        *note = (tsl_note){.site = r->touched.data[i].call, .reason = reason};
        snprintf(
            note->text, sizeof note->text,
            inside
                ? "another thread reads bytes of the object as plain memory at %s:%u: not every "
                  "order is tried"
                : "code that is not instrumented is handed what another thread accesses at %s:%u",
            tsl_names_base(where.file), where.line);
    }
    for (size_t i = 0; i < r->touched.len; i++)
        census->weakened |=
            1ull << (r->touched.data[i].inside ? TSL_REASON_UNCONTROLLED : TSL_REASON_UNKNOWN_CALL);
}

// ---------------------------------------------------------------- showing one

static bool stands(const tsl_run *run, const tsl_stand *side) {
    tsl_step_view step;
    for (size_t at = tsl_run_behind(run); tsl_run_pending(run, &at, &step);)
        if (step.op.thread == side->thread)
            return step.op.kind == side->kind && step.site == side->site && step.addr == side->addr;
    return false;
}

static bool both_stand(void *self, const tsl_run *run) {
    const tsl_suspect *s = self;
    return run->outcome == TSL_OUT_STOPPED && stands(run, &s->side[0]) && stands(run, &s->side[1]);
}

// The last two steps race.
static bool ends_in_race(const tsl_run *run, tsl_step_view last[2]) {
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

// The first so many steps of a Plan.
static void cut_plan(tsl_plan *plan, uint64_t steps) {
    size_t i = 0;
    for (; i < plan->items.len && steps > 0; i++) {
        tsl_item *item = &plan->items.data[i];
        if (item->kind != TSL_ITEM_RUN)
            continue;
        if (item->count > steps)
            item->count = (uint32_t)steps;
        steps -= item->count;
    }
    plan->items.len = i;
}

// How the threads stand before step number `step` that takes a turn.  Freed by the caller; NULL if it
// could not be seen.
static bool look_before(const tsl_session *session, const tsl_plan *plan, uint64_t step,
                        tsl_trace_head **head, tsl_err *err) {
    tsl_plan before;
    tsl_run run = {0};
    *head = NULL;
    tsl_plan_init(&before);
    tsl_plan_copy(&before, plan);
    cut_plan(&before, step);
    before.flags |= TSL_PLAN_STOP | TSL_PLAN_STACKS;
    bool ok = tsl_runner_run(&session->runner, &before, &run, err);
    if (ok && run.outcome == TSL_OUT_STOPPED) {
        *head = tsl_alloc(sizeof **head);
        memcpy(*head, run.head, sizeof **head);
    }
    tsl_run_drop(&run);
    tsl_plan_drop(&before);
    return ok;
}

// What a run shows: two steps that race, and why they are not ordered.
typedef struct shown {
    bool is_race;
    size_t at[2];        // their positions
    uint64_t before[2];  // steps before each that take a turn
    uint16_t thread[2];  //
    bool weak;           // only weak atomics keep them apart
    tsl_step_list chain; // then: what seems to order them
} shown;

// Of the steps that race with the last one: one at that place if there is one, else the latest.
static uint32_t choose(const tsl_session *session, const tsl_history *h, const tsl_step_list *races,
                       const char *file, uint32_t line) {
    tsl_where where;
    for (size_t i = 0; file && i < races->len; i++)
        if (tsl_sites_get(&session->sites, h->steps.data[races->data[i]].site, &where) &&
            where.line == line && strcmp(where.file, file) == 0)
            return races->data[i];
    return races->data[0];
}

static size_t position_of(const tsl_run *run, const tsl_history *h, uint32_t s) {
    return tsl_run_behind_notes(run, s ? h->steps.data[s - 1].next_event : 0);
}

// Does the last step race with one that comes long before it?
static void find_weak(const tsl_session *session, const tsl_run *run, const char *file,
                      uint32_t line, shown *out) {
    tsl_history h;
    tsl_sync sync;
    tsl_history_init(&h);
    tsl_sync_init(&sync, true);
    tsl_history_read(&h, run);
    for (uint32_t s = 0; s < h.steps.len && !tsl_deadline_passed(); s++)
        tsl_sync_read(&sync, &h, s);
    if (sync.races.len && !tsl_deadline_passed()) {
        uint32_t second = (uint32_t)h.steps.len - 1;
        uint32_t first = choose(session, &h, &sync.races, file, line);
        tsl_chain_find(run, first, second, &out->chain);
        out->at[0] = position_of(run, &h, first);
        out->at[1] = position_of(run, &h, second);
        out->is_race = out->weak = true;
    }
    tsl_history_drop(&h);
    tsl_sync_drop(&sync);
}

static void find_shown(const tsl_session *session, const tsl_run *run, const char *file,
                       uint32_t line, shown *out) {
    *out = (shown){0};
    tsl_step_view step[2];
    out->is_race = ends_in_race(run, step);
    for (unsigned i = 0; out->is_race && i < 2; i++)
        out->at[i] = step[i].event;
    if (!out->is_race)
        find_weak(session, run, file, line, out);
    for (unsigned i = 0; out->is_race && i < 2 && tsl_run_step(run, out->at[i], &step[i]); i++) {
        out->before[i] = tsl_run_steps_before(run, out->at[i], true);
        out->thread[i] = step[i].op.thread;
    }
}

// How each of the two stood before its access.
static bool look_at_both(const tsl_session *session, const tsl_plan *plan, const shown *race,
                         tsl_trace_head **before, tsl_err *err) {
    tsl_trace_head *other = NULL;
    if (!look_before(session, plan, race->weak ? race->before[1] : race->before[0], before, err))
        return false;
    if (!race->weak || !*before)
        return true;
    bool ok = look_before(session, plan, race->before[0], &other, err);
    for (uint32_t i = 0; other && i < other->nthreads && i < TSL_TRACE_THREADS; i++)
        for (uint32_t k = 0; k < (*before)->nthreads && k < TSL_TRACE_THREADS; k++)
            if (other->threads[i].thread == race->thread[0] &&
                (*before)->threads[k].thread == race->thread[0])
                (*before)->threads[k] = other->threads[i];
    tsl_free(other);
    return ok;
}

bool tsl_races_show(const tsl_session *session, const tsl_plan *plan, const char *file,
                    uint32_t line, tsl_run *run, tsl_bug **bug, tsl_err *err) {
    tsl_trace_head *before = NULL;
    shown race = {0};
    *bug = NULL;
    bool ok = tsl_runner_run(&session->runner, plan, run, err);
    if (ok && run->outcome == TSL_OUT_STOPPED)
        find_shown(session, run, file, line, &race);
    uint64_t hash = race.is_race ? tsl_trace_hash(&run->trace) : 0;
    // The run's memory is used again by the next one: look first, then run it once more.
    if (ok && race.is_race)
        ok = look_at_both(session, plan, &race, &before, err) &&
             tsl_runner_run(&session->runner, plan, run, err);
    // A program that does not repeat itself may have taken another way the second time.
    if (ok && before && tsl_trace_hash(&run->trace) == hash)
        *bug = tsl_bug_new_race(run, plan, &session->sites, session->symbols, race.at[0],
                                race.at[1], before, race.weak ? &race.chain : NULL);
    tsl_free(before);
    tsl_vec_drop(&race.chain);
    return ok;
}

// ---------------------------------------------------------------- confirming

// Does the last step race with one of that thread at that place?
static bool races_with(const tsl_run *run, const tsl_stand *first) {
    tsl_history h;
    tsl_sync sync;
    bool is = false;
    tsl_history_init(&h);
    tsl_sync_init(&sync, true);
    tsl_history_read(&h, run);
    for (uint32_t s = 0; s < h.steps.len && !tsl_deadline_passed(); s++)
        tsl_sync_read(&sync, &h, s);
    for (size_t i = 0; i < sync.races.len && !tsl_deadline_passed(); i++) {
        const tsl_step *step = &h.steps.data[sync.races.data[i]];
        is |= step->thread == first->thread && step->site == first->site;
    }
    tsl_history_drop(&h);
    tsl_sync_drop(&sync);
    return is;
}

static bool is_side(const tsl_race_side *side, const tsl_stand *stand) {
    return side->thread == stand->thread && side->site == stand->site;
}

static bool show_both(const tsl_session *session, const tsl_plan *plan, const tsl_stand *a,
                      const tsl_stand *b, tsl_bug **bug, tsl_err *err) {
    tsl_run run = {0};
    tsl_where where = {"", "", 0, 0};
    tsl_sites_get(&session->sites, a->site, &where);
    bool ok = tsl_races_show(session, plan, where.file, where.line, &run, bug, err);
    tsl_run_drop(&run);
    if (ok && *bug && !(is_side(&(*bug)->race[0], a) && is_side(&(*bug)->race[1], b))) {
        tsl_bug_free(*bug);
        *bug = NULL;
    }
    return ok;
}

// One access right behind the other, after what `before` does.
static void plan_pair(const tsl_plan *before, const tsl_stand *a, const tsl_stand *b,
                      tsl_plan *plan) {
    tsl_plan_init(plan);
    tsl_plan_copy(plan, before);
    tsl_plan_step(plan, a->thread);
    tsl_plan_step(plan, b->thread);
}

static bool try_order(const tsl_session *session, const tsl_suspect *s, unsigned first,
                      tsl_bug **bug, tsl_err *err) {
    const tsl_stand *a = &s->side[first], *b = &s->side[1 - first];
    tsl_plan plan;
    plan_pair(&s->plan, a, b, &plan);
    bool ok = show_both(session, &plan, a, b, bug, err);
    tsl_plan_drop(&plan);
    return ok;
}

// Who ran last goes on: one switch less.  But freeing first would end the run before the
// other access is made.
static unsigned goes_first(const tsl_suspect *s) {
    for (unsigned i = 0; i < 2; i++)
        if (s->side[i].kind == TSL_EV_FREE)
            return 1 - i;
    return s->plan.items.len && tsl_vec_last(&s->plan.items).kind == TSL_ITEM_RUN &&
           tsl_vec_last(&s->plan.items).value == s->side[1].thread;
}

// As many runs as fit into the share of what time there is.
static unsigned affordable(double seconds, double run, unsigned runs) {
    const double to_show_it = 4;
    double fit = run > 0 ? seconds / run - to_show_it : runs;
    return fit < 0 ? 0 : fit < runs ? (unsigned)fit : runs;
}

static bool is_at(const tsl_step_view *step, const tsl_stand *stand) {
    return step->op.thread == stand->thread && step->site == stand->site &&
           step->op.kind == stand->kind;
}

// As the last step of the run, which must race with the first access by its clocks.
static bool ends_with_second(void *self, const tsl_run *run) {
    const tsl_suspect *s = self;
    tsl_step_view last;
    size_t at;
    return run->outcome == TSL_OUT_STOPPED && tsl_run_last_step(run, &at) &&
           tsl_run_step(run, at, &last) && is_at(&last, &s->side[1]) &&
           races_with(run, &s->side[0]);
}

// Runs the Plan once: does it show the goal, and how long does that take?
static bool try_plan(const tsl_session *session, const tsl_plan *plan, const tsl_goal *goal,
                     bool *shows, double *seconds, tsl_err *err) {
    tsl_run run = {0};
    double begun = tsl_clock_now();
    bool ok = tsl_runner_run(&session->runner, plan, &run, err);
    *shows = ok && goal->same(goal->self, &run);
    *seconds = tsl_clock_now() - begun;
    tsl_run_drop(&run);
    return ok;
}

static bool confirm_weak(const tsl_session *session, tsl_suspect *s, unsigned runs, double seconds,
                         tsl_bug **bug, tsl_err *err) {
    tsl_goal goal = {s, ends_with_second};
    bool shows;
    double each;
    if (!try_plan(session, &s->whole, &goal, &shows, &each, err))
        return false;
    if (!shows)
        return true;
    runs = affordable(seconds, each, runs);
    return tsl_minimise_stop(&session->runner, &goal, &s->whole, runs, err) &&
           show_both(session, &s->whole, &s->side[0], &s->side[1], bug, err);
}

// The last two steps of the run are the two accesses, in this order, and they race.
typedef struct pair_goal {
    const tsl_stand *a, *b;
} pair_goal;

static bool ends_in_pair(void *self, const tsl_run *run) {
    const pair_goal *goal = self;
    tsl_step_view last[2];
    return run->outcome == TSL_OUT_STOPPED && ends_in_race(run, last) && is_at(&last[0], goal->a) &&
           is_at(&last[1], goal->b);
}

static bool confirm_pair(const tsl_session *session, const tsl_suspect *s, unsigned first,
                         unsigned runs, tsl_bug **bug, tsl_err *err) {
    pair_goal pair = {&s->side[first], &s->side[1 - first]};
    tsl_goal goal = {&pair, ends_in_pair};
    tsl_plan plan;
    bool shows;
    double each;
    plan_pair(&s->plan, pair.a, pair.b, &plan);
    bool ok = try_plan(session, &plan, &goal, &shows, &each, err);
    if (ok && shows)
        ok = tsl_minimise_stop(&session->runner, &goal, &plan, runs, err) &&
             show_both(session, &plan, pair.a, pair.b, bug, err);
    tsl_plan_drop(&plan);
    return ok;
}

// Shortens the way to where both stand, then makes both accesses.
static bool confirm_stand(const tsl_session *session, tsl_suspect *s, unsigned runs, tsl_bug **bug,
                          tsl_err *err) {
    tsl_goal goal = {s, both_stand};
    if (runs && !tsl_minimise_stop(&session->runner, &goal, &s->plan, runs, err))
        return false;
    unsigned first = goes_first(s);
    return try_order(session, s, first, bug, err) &&
           (*bug || try_order(session, s, 1 - first, bug, err));
}

// Whether a compare-and-swap stores depends on what is there, so it may race at the end of the way that
// was found and not at the end of a shorter one.
static bool confirm_adjacent(const tsl_session *session, tsl_suspect *s, unsigned runs,
                             double seconds, tsl_bug **bug, tsl_err *err) {
    tsl_goal goal = {s, both_stand};
    tsl_plan found;
    bool shows;
    double each;
    *bug = NULL;
    if (!try_plan(session, &s->plan, &goal, &shows, &each, err))
        return false;
    if (!shows)
        return true;
    runs = affordable(seconds, each, runs);
    tsl_plan_init(&found);
    tsl_plan_copy(&found, &s->plan);
    bool ok = confirm_stand(session, s, runs, bug, err);
    tsl_plan_copy(&s->plan, &found);
    for (unsigned first = 0; ok && first < 2 && !*bug; first++)
        ok = confirm_pair(session, s, first, runs, bug, err);
    tsl_plan_drop(&found);
    return ok;
}

static bool confirm(const tsl_session *session, tsl_suspect *s, unsigned runs, double seconds,
                    tsl_bug **bug, tsl_err *err) {
    return confirm_adjacent(session, s, runs, seconds, bug, err) &&
           (*bug || s->how != TSL_FOUND_WEAK || confirm_weak(session, s, runs, seconds, bug, err));
}

static bool is_known(const tsl_bugs *bugs, uint64_t signature) {
    for (size_t i = 0; i < bugs->len; i++)
        if (bugs->data[i]->signature == signature)
            return true;
    return false;
}

static bool confirm_all(tsl_races *r, enum tsl_found_how how, const tsl_session *session,
                        unsigned runs, tsl_bugs *bugs, tsl_err *err) {
    bool certain = how != TSL_FOUND_UNORDERED;
    for (size_t i = 0; i < r->suspects.len; i++) {
        tsl_suspect *s = &r->suspects.data[i];
        tsl_bug *bug;
        if (s->how != how || is_known(bugs, tsl_bug_signature_race(&session->sites, s->side[0].site,
                                                                   s->side[1].site)))
            continue;
        if (tsl_deadline_passed()) {
            r->untried += certain;
            continue;
        }
        double share = tsl_deadline_left() / (double)(r->suspects.len - i);
        if (!confirm(session, s, runs, share, &bug, err))
            return false;
        bool late = tsl_deadline_passed();
        r->untried += !bug && certain && late;
        r->unconfirmed += !bug && certain && !late;
        if (!bug)
            continue;
        bug->executions_to_find = s->execution;
        tsl_vec_push(bugs, bug);
        if (r->found)
            r->found(r->finder, bug, bugs->len);
    }
    return true;
}

// What can stand next to each other is shown so.
bool tsl_races_confirm(tsl_races *r, const tsl_session *session, unsigned runs, tsl_bugs *bugs,
                       tsl_err *err) {
    return confirm_all(r, TSL_FOUND_ADJACENT, session, runs, bugs, err) &&
           confirm_all(r, TSL_FOUND_UNORDERED, session, runs, bugs, err) &&
           confirm_all(r, TSL_FOUND_WEAK, session, runs, bugs, err);
}
