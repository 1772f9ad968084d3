// Does the runner put threads to sleep and wake them as it must?
//
// This is depth-first search with sleep sets (Godefroid, 1996) and nothing else.  Every step that
// was tried at a state sleeps there afterwards, and wakes when a step that conflicts with it is
// executed.  The search sees every class, none twice, and has many redundant runs.
//
// A Plan ends with the step to be tried.  Its sleep set is that before this step.
#include "oracle/sleepset.h"

#include "abi/conflict.h"
#include "base/err.h"
#include "base/mem.h"
#include "vm/sleep.h"

enum { STEP_EVENTS = 3, SLEEPERS = 8 };

// A step in the form that a Plan has.
typedef struct sleeper {
    tsl_event events[STEP_EVENTS];
    unsigned n;
} sleeper;

typedef struct sleepers {
    sleeper list[SLEEPERS];
    unsigned n;
} sleepers;

enum { THREADS = 8 };

// A state of the last run, and the step that was taken there.
typedef struct node {
    sleepers asleep; // grows as steps are tried
    uint16_t enabled[THREADS];
    unsigned nenabled;
    uint16_t thread;
    sleeper step;
    unsigned choice, choices;
} node;

typedef struct search {
    tsl_strategy base;
    tsl_search search;
    TSL_VEC(node) path;
    bool started, waiting;
} search;

static tsl_strategy *sleepset_new(const tsl_search *common) {
    search *s = tsl_alloc(sizeof *s);
    s->base.kind = &tsl_oracle_sleepset;
    s->search = *common;
    return &s->base;
}

static void sleepset_free(tsl_strategy *strategy) {
    tsl_vec_drop(&((search *)strategy)->path);
    tsl_free(strategy);
}

// ---------------------------------------------------------------- sleepers

static bool conflict(const sleeper *sleeping, const sleeper *executed) {
    tsl_vm_accesses x, y;
    tsl_vm_accesses_of(sleeping->events, sleeping->n, &x);
    tsl_vm_accesses_of(executed->events, executed->n, &y);
    for (unsigned i = 0; i < x.n; i++)
        for (unsigned j = 0; j < y.n; j++)
            if (tsl_access_conflict(&x.list[i], &y.list[j]))
                return true;
    return false;
}

// Computes which threads still sleep after the step.
static void pass_on(const sleepers *from, const sleeper *step, sleepers *to) {
    const tsl_event *e = &step->events[0];
    to->n = 0;
    for (unsigned i = 0; i < from->n; i++) {
        sleeper s = from->list[i];
        if (s.events[0].thread == e->thread || conflict(&s, step))
            continue;
        if (s.events[0].kind == TSL_EV_BARRIER_ARRIVE && e->kind == TSL_EV_BARRIER_ARRIVE &&
            s.events[0].addr == e->addr)
            s.events[0].res--;
        to->list[to->n++] = s;
    }
}

static void put_to_sleep(sleepers *asleep, const sleeper *step) {
    TSL_BUG_ON(asleep->n == SLEEPERS, "more than %u sleeping threads", asleep->n);
    asleep->list[asleep->n++] = *step;
}

static bool sleeps(const sleepers *asleep, uint16_t thread) {
    for (unsigned i = 0; i < asleep->n; i++)
        if (asleep->list[i].events[0].thread == thread)
            return true;
    return false;
}

// ---------------------------------------------------------------- next

// Finds another alternative of the step, or another thread that is awake.
static bool try_another(node *n) {
    if (++n->choice < n->choices)
        return true;
    put_to_sleep(&n->asleep, &n->step);
    n->choice = 0;
    n->choices = 1;
    for (unsigned i = 0; i < n->nenabled; i++)
        if (!sleeps(&n->asleep, n->enabled[i])) {
            n->thread = n->enabled[i];
            return true;
        }
    return false;
}

static enum tsl_next sleepset_next(tsl_strategy *strategy, tsl_plan *plan) {
    search *s = (search *)strategy;
    if (s->waiting)
        return TSL_NEXT_WAIT;
    while (s->path.len && !try_another(&tsl_vec_last(&s->path)))
        s->path.len--;
    if (s->started && !s->path.len)
        return TSL_NEXT_DONE;
    s->started = s->waiting = true;
    plan->seed = 0;
    plan->policy = TSL_POLICY_STAY;
    plan->max_steps = s->search.max_steps;
    plan->flags = s->search.flags | TSL_PLAN_SPIN_ENDS;
    tsl_vec_clear(&plan->items);
    tsl_vec_clear(&plan->sleep);
    for (size_t i = 0; i < s->path.len; i++) {
        tsl_plan_step(plan, s->path.data[i].thread);
        if (s->path.data[i].choices > 1)
            tsl_plan_choice(plan, (uint16_t)s->path.data[i].choice);
    }
    const sleepers *asleep = s->path.len ? &tsl_vec_last(&s->path).asleep : NULL;
    for (unsigned i = 0; asleep && i < asleep->n; i++)
        for (unsigned j = 0; j < asleep->list[i].n; j++)
            tsl_vec_push(&plan->sleep, asleep->list[i].events[j]);
    return TSL_NEXT_PLAN;
}

// ---------------------------------------------------------------- learn

static void set_enabled(node *n, uint16_t thread, bool enabled) {
    unsigned kept = 0;
    for (unsigned i = 0; i < n->nenabled; i++)
        if (n->enabled[i] != thread)
            n->enabled[kept++] = n->enabled[i];
    if (enabled)
        n->enabled[kept++] = thread;
    n->nenabled = kept;
}

// Reads the step at events[at] and its notes.
static void read_step(const tsl_trace *trace, size_t at, node *n) {
    n->step = (sleeper){.events = {trace->events[at]}, .n = 1};
    n->thread = trace->events[at].thread;
    n->choice = 0;
    n->choices = 1;
    for (size_t i = at + 1; i < trace->nevents; i++) {
        const tsl_event *e = &trace->events[i];
        if (tsl_event_is_step(e->kind))
            break;
        if (e->kind == TSL_EV_ALSO && n->step.n < STEP_EVENTS)
            n->step.events[n->step.n++] = *e;
        if (e->kind == TSL_EV_CHOICE) {
            n->choice = e->res;
            n->choices = (unsigned)e->addr;
        }
    }
}

static void sleepset_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run) {
    (void)plan;
    const tsl_trace *trace = &run->trace;
    search *s = (search *)strategy;
    size_t planned = s->path.len, seen = 0;
    node now = {0}; // the enabled threads
    for (size_t i = 0; i < trace->nevents; i++) {
        const tsl_event *e = &trace->events[i];
        if (e->kind == TSL_EV_ENABLE || e->kind == TSL_EV_DISABLE)
            set_enabled(&now, e->res, e->kind == TSL_EV_ENABLE);
        if (!tsl_event_is_step(e->kind) || ++seen < planned)
            continue;
        if (seen > planned) { // a state that was not planned
            if (s->path.len) {
                const node *last = &tsl_vec_last(&s->path);
                pass_on(&last->asleep, &last->step, &now.asleep);
            }
            tsl_vec_push(&s->path, now);
        }
        read_step(trace, i, &tsl_vec_last(&s->path));
    }
    s->waiting = false;
}

const tsl_strategy_kind tsl_oracle_sleepset = {
    .name = "sleep-sets",
    .help = "depth first with sleep sets, for tests",
    .new = sleepset_new,
    .next = sleepset_next,
    .learn = sleepset_learn,
    .free = sleepset_free,
};
