#include "cli/races.h"

#include <string.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/hash.h"
#include "base/mem.h"
#include "explore/minimise.h"
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

// `second` is the last step of the history.
static void found(void *self, const tsl_history *h, uint32_t first, uint32_t second, bool certain) {
    tsl_races *r = self;
    uint64_t a = place_of(h, first), b = place_of(h, second);
    uint64_t pair = tsl_hash_u64(tsl_hash_u64(0, a < b ? a : b), a < b ? b : a);
    if (tsl_deadline_passed()) { // keeping it takes as long as the run is
        r->untried += certain && !tsl_set_has(&r->seen, pair);
        return;
    }
    if (tsl_set_has(&r->seen, pair) || !tsl_set_insert(&r->seen, tsl_hash_u64(pair, certain)))
        return;
    if (certain)
        tsl_set_insert(&r->seen, pair);
    tsl_suspect s = {.side = {stand_of(h, first), stand_of(h, second)},
                     .certain = certain,
                     .execution = r->progress ? r->progress->executions : 0};
    tsl_race race = {first, TSL_NONE};
    tsl_plan_init(&s.plan);
    s.plan.seed = r->search.seed;
    s.plan.max_steps = r->search.max_steps;
    s.plan.flags = r->search.flags | TSL_PLAN_STOP | TSL_PLAN_STACKS;
    if (r->progress && r->progress->plan)
        tsl_plan_copy_inputs(&s.plan, r->progress->plan);
    tsl_race_rest(h, &race, &r->rest);
    for (uint32_t i = 0; i < first; i++)
        add_step(&s.plan, &h->steps.data[i]);
    for (size_t i = 0; i < r->rest.len; i++)
        add_step(&s.plan, &h->steps.data[r->rest.data[i]]);
    tsl_vec_push(&r->suspects, s);
}

void tsl_races_init(tsl_races *r, const tsl_search *search) {
    *r = (tsl_races){.sink = {r, found}, .search = *search};
}

void tsl_races_clear(tsl_races *r) {
    for (size_t i = 0; i < r->suspects.len; i++)
        tsl_plan_drop(&r->suspects.data[i].plan);
    tsl_vec_clear(&r->suspects);
    tsl_set_clear(&r->seen);
}

void tsl_races_drop(tsl_races *r) {
    tsl_races_clear(r);
    tsl_vec_drop(&r->suspects);
    tsl_vec_drop(&r->rest);
    tsl_set_drop(&r->seen);
}

// ---------------------------------------------------------------- showing one

static bool stands(const tsl_trace *trace, const tsl_stand *side) {
    for (size_t i = 0; i < trace->nevents; i++) {
        const tsl_event *e = &trace->events[i];
        if (e->kind == TSL_EV_PENDING && e->thread == side->thread)
            return e->arg == side->kind && e->site == side->site && e->addr == side->addr;
    }
    return false;
}

static bool both_stand(void *self, const tsl_trace *trace) {
    const tsl_suspect *s = self;
    return trace->head->outcome == TSL_OUT_STOPPED && stands(trace, &s->side[0]) &&
           stands(trace, &s->side[1]);
}

// The last two steps race.
static bool ends_in_race(const tsl_trace *trace, size_t at[2]) {
    size_t n = 0;
    for (size_t i = trace->nevents; i-- > 0 && n < 2;)
        if (tsl_event_is_step(trace->events[i].kind))
            at[1 - n++] = i;
    tsl_step_view a, b;
    tsl_access x, y;
    return n == 2 && trace->events[at[0]].thread != trace->events[at[1]].thread &&
           tsl_step_read(trace, at[0], &a) && tsl_step_read(trace, at[1], &b) &&
           tsl_race_of(&a.op, &b.op, &x, &y);
}

static bool drop_steps(tsl_plan *plan, unsigned n) {
    for (; n > 0; n--) {
        if (!plan->items.len || tsl_vec_last(&plan->items).kind != TSL_ITEM_RUN)
            return false;
        if (--tsl_vec_last(&plan->items).count == 0)
            plan->items.len--;
    }
    return true;
}

// How the threads stand before the last two steps.  Freed by the caller.
static bool look_before(const tsl_session *session, const tsl_plan *plan, tsl_trace_head **head,
                        tsl_err *err) {
    tsl_plan before;
    tsl_trace trace;
    bool ok = true;
    *head = NULL;
    tsl_plan_init(&before);
    tsl_plan_copy(&before, plan);
    if (drop_steps(&before, 2)) {
        before.flags |= TSL_PLAN_STOP | TSL_PLAN_STACKS;
        ok = tsl_runner_run(&session->runner, &before, &trace, err);
        if (ok && trace.head->outcome == TSL_OUT_STOPPED) {
            *head = tsl_alloc(sizeof **head);
            memcpy(*head, trace.head, sizeof **head);
        }
    }
    tsl_plan_drop(&before);
    return ok;
}

bool tsl_races_show(const tsl_session *session, const tsl_plan *plan, tsl_trace *trace,
                    tsl_bug **bug, tsl_err *err) {
    tsl_trace_head *before;
    size_t at[2];
    *bug = NULL;
    bool ok = look_before(session, plan, &before, err) &&
              tsl_runner_run(&session->runner, plan, trace, err);
    if (ok && before && trace->head->outcome == TSL_OUT_STOPPED && ends_in_race(trace, at))
        *bug =
            tsl_bug_new_race(trace, plan, &session->sites, session->symbols, at[0], at[1], before);
    tsl_free(before);
    return ok;
}

// ---------------------------------------------------------------- confirming

static bool is_side(const tsl_race_side *side, const tsl_stand *stand) {
    return side->thread == stand->thread && side->site == stand->site;
}

static bool try_order(const tsl_session *session, const tsl_suspect *s, unsigned first,
                      tsl_bug **bug, tsl_err *err) {
    const tsl_stand *a = &s->side[first], *b = &s->side[1 - first];
    tsl_plan plan;
    tsl_trace trace;
    tsl_plan_init(&plan);
    tsl_plan_copy(&plan, &s->plan);
    tsl_plan_step(&plan, a->thread);
    tsl_plan_step(&plan, b->thread);
    bool ok = tsl_races_show(session, &plan, &trace, bug, err);
    tsl_plan_drop(&plan);
    if (ok && *bug && !(is_side(&(*bug)->race[0], a) && is_side(&(*bug)->race[1], b))) {
        tsl_bug_free(*bug);
        *bug = NULL;
    }
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

static bool confirm(const tsl_session *session, tsl_suspect *s, unsigned runs, double seconds,
                    tsl_bug **bug, tsl_err *err) {
    tsl_trace trace;
    tsl_goal goal = {s, both_stand};
    double begun = tsl_clock_now();
    *bug = NULL;
    if (!tsl_runner_run(&session->runner, &s->plan, &trace, err))
        return false;
    if (!both_stand(s, &trace))
        return true;
    runs = affordable(seconds, tsl_clock_now() - begun, runs);
    if (runs && !tsl_minimise_stop(&session->runner, &goal, &s->plan, runs, err))
        return false;
    unsigned first = goes_first(s);
    return try_order(session, s, first, bug, err) &&
           (*bug || try_order(session, s, 1 - first, bug, err));
}

static bool is_known(const tsl_bugs *bugs, uint64_t signature) {
    for (size_t i = 0; i < bugs->len; i++)
        if (bugs->data[i]->signature == signature)
            return true;
    return false;
}

bool tsl_races_confirm(tsl_races *r, const tsl_session *session, unsigned runs, tsl_bugs *bugs,
                       tsl_err *err) {
    for (size_t i = 0; i < r->suspects.len; i++) {
        tsl_suspect *s = &r->suspects.data[i];
        tsl_bug *bug;
        if (is_known(bugs,
                     tsl_bug_signature_race(&session->sites, s->side[0].site, s->side[1].site)))
            continue;
        if (tsl_deadline_passed()) {
            r->untried += s->certain;
            continue;
        }
        double share = tsl_deadline_left() / (double)(r->suspects.len - i);
        if (!confirm(session, s, runs, share, &bug, err))
            return false;
        bool late = tsl_deadline_passed();
        r->untried += !bug && s->certain && late;
        r->unconfirmed += !bug && s->certain && !late;
        if (!bug)
            continue;
        bug->executions_to_find = s->execution;
        tsl_vec_push(bugs, bug);
    }
    return true;
}
