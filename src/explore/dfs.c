// How is every interleaving of visible operations searched depth first: all of them, or those with
// at most N preemptions?
//
// A decision of this search is which enabled thread takes a step, which alternative a choice takes,
// or which way an input branch goes.  The strategy keeps the path of the last run, and what is
// still untried at each decision on it:
//
//     next:  go back to the last decision with something untried, take that, and let the runner
//            finish the run as it likes
//     learn: append the decisions that the run made beyond the planned ones
//
// Every complete interleaving is run exactly once.  EXIT is enabled only when no other thread can
// run.  So if the process fails earlier, each thread that stands before EXIT is tried in place of
// the failing step.
//
// A preemption is a switch away from a thread that could have gone on and that neither yielded nor
// slept.  Most bugs need one or two.  Under a bound, decisions that would need more preemptions are
// left out.  A reduction by races would not be sound then: reversing a race may cost a preemption
// that an equivalent run does not need.  It is sound, however, not to go on from the same place
// twice:
//
//     place  =  the order of the steps so far, and the thread that ran last if it can go on
//
// Two prefixes with the same place can go on in the same ways at the same cost, so the one with
// fewer preemptions covers the other.  `optimal` does this under a bound (happens-before caching,
// Musuvathi and Qadeer, 2007); `dfs` runs all.
//
// With `iterate`, N starts at 0 and grows by one whenever everything with N preemptions was run and
// something was left out.  So the first bug found needs as few preemptions as possible.
#include "base/deadline.h"

#include "base/hash.h"
#include "base/set.h"
#include "explore/plan.h"

typedef struct decision {
    uint16_t value; // thread, or alternative of a choice, or outcome of an input branch
    bool is_choice, is_branch;
    bool exits;        // the threads that stand before EXIT there were added to the untried ones
    tsl_term cond;     // of a branch: the condition that holds
    tsl_term excluded; // of a pin: that the value is none of those it had before; or no term
    uint32_t untried;  // how many entries of dfs.untried belong to this decision
    uint32_t used;     // preemptions before it
    size_t at;         // position of its step in the run
} decision;

typedef struct dfs {
    tsl_strategy base;
    tsl_search search;
    bool caches;
    uint32_t bound;
    TSL_VEC(decision) path;
    TSL_VEC(uint16_t) untried; // a stack; decisions later on the path lie further up
    tsl_enabled enabled;       // at the step being read
    tsl_history history;
    tsl_prefix prefix; // of the last run that was learned from
    tsl_set places;    // that were reached, with the preemptions used
    tsl_inputs *inputs;
    tsl_import import;         // expressions of the last run
    uint32_t set;              // inputs of the last run; during `next`, of the next one
    uint32_t before_set;       // inputs of the run before, which lead along the path up to its last
                               // decision
    tsl_path_condition before; // scratch
    TSL_VEC(tsl_hop) hops;     // scratch
    bool started, waiting, left_out;
} dfs;

static dfs *make(const tsl_strategy_kind *kind, const tsl_search *search, bool caches) {
    dfs *d = tsl_alloc(sizeof *d);
    d->base.kind = kind;
    d->search = *search;
    d->caches = caches;
    d->bound = search->preemptions < 0 ? UINT32_MAX : (uint32_t)search->preemptions;
    if (search->iterate)
        d->bound = 0;
    tsl_history_init(&d->history);
    d->inputs = tsl_inputs_get(search->inputs, &search->solver);
    tsl_import_init(&d->import);
    d->base.inputs = d->inputs;
    return d;
}

static tsl_strategy *dfs_new(const tsl_search *search) {
    return &make(&tsl_strategy_dfs, search, false)->base;
}

static tsl_strategy *bounded_optimal_new(const tsl_search *search) {
    return &make(&tsl_bounded_optimal, search, true)->base;
}

static void dfs_free(tsl_strategy *strategy) {
    dfs *d = (dfs *)strategy;
    tsl_vec_drop(&d->path);
    tsl_vec_drop(&d->untried);
    tsl_enabled_drop(&d->enabled);
    tsl_history_drop(&d->history);
    tsl_prefix_drop(&d->prefix);
    tsl_set_drop(&d->places);
    tsl_import_drop(&d->import);
    tsl_inputs_drop(d->inputs);
    tsl_vec_drop(&d->before);
    tsl_vec_drop(&d->hops);
    tsl_free(d);
}

// ---------------------------------------------------------------- next

// Asks the solver for inputs that take the last branch of the path the other way.  Are there any?
static bool turn(dfs *d) {
    decision *last = &tsl_vec_last(&d->path);
    last->cond = tsl_term_not(d->inputs->terms, last->cond);
    if (last->excluded.i)
        last->cond = tsl_term_binary(d->inputs->terms, TSL_EXPR_AND, last->cond, last->excluded);
    last->excluded = last->cond;
    tsl_vec_clear(&d->before);
    for (size_t i = 0; i + 1 < d->path.len; i++)
        if (d->path.data[i].cond.i)
            tsl_vec_push(&d->before, d->path.data[i].cond);
    enum tsl_sat answer = tsl_inputs_solve(d->inputs, &d->before, last->cond, &d->set);
    tsl_claim_weaken(&d->base.claim, TSL_REASON_SOLVER, answer == TSL_UNKNOWN);
    return answer == TSL_SAT;
}

static bool backtrack(dfs *d) {
    for (;;) {
        while (d->path.len && tsl_vec_last(&d->path).untried == 0)
            d->path.len--;
        if (!d->path.len)
            return false;
        decision *last = &tsl_vec_last(&d->path);
        last->value = tsl_vec_pop(&d->untried);
        last->untried--;
        if (!last->is_branch || turn(d))
            return true;
    }
}

static bool next_bound(dfs *d) {
    bool more = d->search.iterate && d->left_out && d->bound < (uint32_t)d->search.preemptions;
    if (!more)
        return false;
    d->base.claim.reach = TSL_REACH_BOUNDED;
    d->base.claim.bound = d->bound++;
    d->left_out = false;
    tsl_set_clear(&d->places);
    return true;
}

static enum tsl_next dfs_next(tsl_strategy *strategy, tsl_plan *plan) {
    dfs *d = (dfs *)strategy;
    if (d->waiting)
        return TSL_NEXT_WAIT;
    tsl_inputs_hold(d->inputs, d->set);
    tsl_inputs_release(d->inputs, d->before_set);
    d->before_set = d->set;
    if (d->started && !backtrack(d) && !next_bound(d)) {
        d->base.claim.reach = d->left_out ? TSL_REACH_BOUNDED : TSL_REACH_ALL;
        d->base.claim.bound = d->bound;
        return TSL_NEXT_DONE;
    }
    d->started = d->waiting = true;
    // Under a bound a thread that spins counts as blocked, so that switching away from it costs
    // nothing.
    uint32_t spin = d->bound == UINT32_MAX ? TSL_PLAN_SPIN_ENDS : 0;
    tsl_search_plan(&d->search, TSL_POLICY_STAY, TSL_PLAN_ENABLED | spin, plan);
    tsl_inputs_to_plan(d->inputs, d->set, plan);
    tsl_vec_clear(&d->hops);
    for (size_t i = 0; i < d->path.len; i++)
        if (d->path.data[i].is_choice)
            tsl_vec_last(&d->hops).choice = d->path.data[i].value;
        else if (!d->path.data[i].is_branch)
            tsl_vec_push(&d->hops, ((tsl_hop){d->path.data[i].value, TSL_ANY_CHOICE, {0}, {0}}));
    tsl_plan_add_hops(plan, d->hops.data, d->hops.len);
    return TSL_NEXT_PLAN;
}

// ---------------------------------------------------------------- learn

// The thread of the last step.
typedef struct running {
    uint32_t thread; // TSL_NONE before the first step
    bool gave_way;   // it yielded or slept
} running;

// How far a run has been read.
typedef struct reading {
    size_t planned;    // decisions of the path that the run was planned to take
    size_t seen;       // decisions of the run so far
    uint32_t used;     // preemptions so far
    uint32_t to_leave; // what it would have cost to run another thread instead of the last step
    running now;
    bool open; // no place so far was reached before
} reading;

// How many preemptions a switch to `thread` costs: 0 or 1.
static uint32_t cost(const dfs *d, running now, unsigned thread) {
    return !TSL_BROKEN(BOUND_COST) && now.thread != TSL_NONE && now.thread != thread &&
           !now.gave_way && tsl_enabled_has(&d->enabled, now.thread);
}

static void push_step(dfs *d, const reading *r, const tsl_step_view *view) {
    uint16_t thread = view->op.thread;
    uint32_t untried = 0;
    for (size_t i = d->enabled.threads.len; r->open && i-- > 0;) {
        uint16_t other = d->enabled.threads.data[i];
        if (other == thread)
            continue;
        if (r->used + cost(d, r->now, other) > d->bound) {
            d->left_out = true;
            continue;
        }
        tsl_vec_push(&d->untried, other);
        untried++;
    }
    tsl_vec_push(
        &d->path,
        (decision){.value = thread, .untried = untried, .used = r->used, .at = view->event});
}

static void push_choice(dfs *d, const reading *r, const tsl_step_view *view) {
    uint32_t untried = 0;
    for (unsigned i = view->nchoices; r->open && i-- > 0;)
        if (i != view->choice) {
            tsl_vec_push(&d->untried, (uint16_t)i);
            untried++;
        }
    tsl_vec_push(&d->path, (decision){.value = view->choice,
                                      .is_choice = true,
                                      .untried = untried,
                                      .used = r->used,
                                      .at = view->event});
}

// Returns false if the branch went another way than the solver's inputs should have led.
static bool push_branch(dfs *d, reading *r, const tsl_step_view *view) {
    size_t number = r->seen++;
    bool pin = view->choice & TSL_BRANCH_PIN;
    tsl_term cond = tsl_inputs_condition(d->inputs, &d->import, view->addr, view->choice);
    if (number < r->planned) {
        decision *known = &d->path.data[number];
        if (number + 1 < r->planned || !pin || !cond.i)
            return known->is_branch && known->value == view->choice;
        // The run was to give the pin a new value, and has: the values left are still untried.
        known->value = view->choice;
        known->cond = cond;
        known->untried = 1;
        tsl_vec_push(&d->untried, TSL_BRANCH_PIN);
        return known->is_branch;
    }
    bool other = r->open && cond.i && !tsl_term_is_const(d->inputs->terms, cond);
    if (other)
        tsl_vec_push(&d->untried, (uint16_t)(view->choice ^ TSL_BRANCH_TRUE));
    tsl_vec_push(&d->path, (decision){.value = view->choice,
                                      .is_branch = true,
                                      .cond = cond,
                                      .untried = other,
                                      .used = r->used,
                                      .at = view->event});
    return true;
}

// Nothing is learned from the run.  Its inputs may not lead along the path, so those of the run
// before are used again.
static void give_up_run(dfs *d) {
    tsl_inputs_release(d->inputs, d->set);
    tsl_inputs_hold(d->inputs, d->before_set);
    d->set = d->before_set;
}

// Adds a thread to be tried at decision `at`.  The untried entries of later decisions stay above
// it.
static void add_untried(dfs *d, size_t at, uint16_t thread) {
    size_t behind = 0;
    for (size_t i = at + 1; i < d->path.len; i++)
        behind += d->path.data[i].untried;
    tsl_vec_insert(&d->untried, d->untried.len - behind, thread);
    d->path.data[at].untried++;
}

// Does the decision choose a thread?
static bool is_thread(const decision *step) { return !step->is_choice && !step->is_branch; }

// The first decision after the last step of the thread, where going on with the thread costs no
// preemption.
static size_t stands_since(const dfs *d, const tsl_run *run, unsigned thread) {
    size_t event = 0, at = 0;
    bool stepped = tsl_run_last_step_of(run, thread, &event);
    for (size_t i = 0; i < d->path.len; i++)
        if (is_thread(&d->path.data[i]) && (!stepped || d->path.data[i].at <= event))
            at = i;
    for (at++; at < d->path.len && !is_thread(&d->path.data[at]);)
        at++;
    return at;
}

// The run failed.  A thread that stood before EXIT could have taken that step before the failing
// one, and the process would have ended without a failure: each such thread is to be tried.
static void add_exits(dfs *d, const tsl_run *run, uint32_t cost_there) {
    size_t last = d->path.len, from = 0;
    tsl_step_view view;
    while (last > 0 && !is_thread(&d->path.data[last - 1]))
        last--;
    if (last-- == 0 || !tsl_run_step(run, d->path.data[last].at, &view) ||
        view.op.kind == TSL_EV_EXIT)
        return;
    bool added = d->path.data[last].exits;
    for (d->path.data[last].exits = true; tsl_run_pending(run, &from, &view);) {
        if (view.op.kind != TSL_EV_EXIT || added)
            continue;
        size_t at = last;
        if (d->path.data[last].used + cost_there > d->bound) {
            at = stands_since(d, run, view.op.thread);
            if (at >= d->path.len || d->path.data[at].exits)
                continue;
            d->path.data[at].exits = true;
        }
        add_untried(d, at, view.op.thread);
    }
}

// The run did not go the way that the solver's answer should have led.
static void mispredict(dfs *d) {
    d->base.mispredicted++;
    tsl_claim_weaken(&d->base.claim, TSL_REASON_MISPREDICTED, 1);
}

// Was this place reached before with at most as many preemptions?  If not, it is remembered.
static bool been_there(dfs *d, running now, uint32_t used) {
    bool matters =
        now.thread != TSL_NONE && !now.gave_way && tsl_enabled_has(&d->enabled, now.thread);
    uint64_t place = tsl_hash_u64(tsl_history_place(&d->history), matters ? now.thread : TSL_NONE);
    uint32_t most = TSL_BROKEN(BOUND_PLACE) ? d->bound : used;
    for (uint32_t u = 0; u <= most; u++)
        if (tsl_set_has(&d->places, tsl_hash_u64(place, u)))
            return true;
    tsl_set_insert(&d->places, tsl_hash_u64(place, used));
    return false;
}

// Does the run begin like the runs before it, and take the last planned decision?  If not, `out`
// says where it differs.
static bool follows(const dfs *d, const tsl_run *run, tsl_divergence *out) {
    const decision *last = &tsl_vec_last(&d->path);
    tsl_step_view view;
    *out = (tsl_divergence){0};
    if (!tsl_prefix_same(&d->prefix, run, last->at, out))
        return false;
    out->step = tsl_run_steps_before(run, last->at, false);
    if (!last->is_choice && !last->is_branch)
        out->expected.thread = last->value;
    else
        out->expected = tsl_prefix_at(&d->prefix, last->at);
    if (!tsl_run_step(run, last->at, &view))
        return false;
    out->came = tsl_step_event(&view);
    if (last->is_branch) // push_branch checks which way it went
        return true;
    return last->is_choice ? view.choice == last->value && out->came.thread == out->expected.thread
                           : view.op.thread == last->value;
}

static void stray(dfs *d, const tsl_run *run, const tsl_divergence *at) {
    bool guessed = at->expected.kind == TSL_EV_BRANCH && at->came.kind == TSL_EV_BRANCH;
    if (guessed)
        mispredict(d);
    d->base.strayed = !guessed && !tsl_prefix_was_cut(run->outcome);
    tsl_claim_weaken(&d->base.claim, TSL_REASON_DIVERGED, d->base.strayed);
    if (d->base.strayed && d->base.diverged++ == 0)
        d->base.divergence = *at;
    give_up_run(d);
}

// Reads a step that is no input branch.
static void read_step(dfs *d, reading *r, const tsl_step_view *view) {
    if (d->caches && r->seen >= r->planned && r->open && been_there(d, r->now, r->used))
        r->open = false;
    if (r->seen++ >= r->planned)
        push_step(d, r, view);
    r->to_leave = cost(d, r->now, TSL_NONE);
    r->used += cost(d, r->now, view->op.thread);
    if (view->nchoices > 1 && r->seen++ >= r->planned)
        push_choice(d, r, view);
    bool gives_way = view->op.kind == TSL_EV_YIELD || view->op.kind == TSL_EV_SLEEP;
    r->now = (running){view->op.thread, gives_way};
}

// Returns false if the run went another way than the solver's inputs should have led.
static bool read_decision(dfs *d, reading *r, const tsl_step_view *view) {
    if (view->op.kind != TSL_EV_BRANCH)
        read_step(d, r, view);
    else if (!push_branch(d, r, view))
        return false;
    if (d->caches)
        tsl_history_append(&d->history, view);
    return true;
}

static void read_run(dfs *d, const tsl_run *run) {
    reading r = {.planned = d->path.len, .now = {TSL_NONE, false}, .open = true};
    tsl_step_view view;
    tsl_enabled_clear(&d->enabled);
    tsl_history_cut(&d->history, 0);
    for (size_t at = 0; tsl_run_step(run, at, &view); at = view.event + 1) {
        tsl_deadline_ask();
        tsl_run_enabled(run, view.event, &d->enabled);
        if (!read_decision(d, &r, &view)) {
            mispredict(d);
            give_up_run(d);
            break;
        }
    }
    if (r.open && tsl_outcome_stops(run->outcome))
        add_exits(d, run, r.to_leave);
}

static void dfs_learn(tsl_strategy *strategy, const tsl_plan *plan, const tsl_run *run) {
    (void)plan;
    dfs *d = (dfs *)strategy;
    tsl_divergence divergence;
    bool sound = tsl_inputs_read(d->inputs, &d->import, run, &d->set);
    tsl_claim_weaken(&d->base.claim, TSL_REASON_CONCRETISED, !sound);
    d->waiting = d->base.strayed = false;
    if (d->path.len && !follows(d, run, &divergence)) {
        stray(d, run, &divergence);
        return;
    }
    tsl_prefix_keep(&d->prefix, run, d->path.len ? tsl_vec_last(&d->path).at : 0, tsl_run_end(run));
    read_run(d, run);
}

static const tsl_events *dfs_known(const tsl_strategy *strategy) {
    return &((const dfs *)strategy)->prefix.events;
}

const tsl_strategy_kind tsl_strategy_dfs = {
    .name = "dfs",
    .help = "every interleaving of visible operations, depth first, no reduction",
    .new = dfs_new,
    .next = dfs_next,
    .learn = dfs_learn,
    .free = dfs_free,
    .known = dfs_known,
};

const tsl_strategy_kind tsl_bounded_optimal = {
    .name = "optimal",
    .help = "",
    .new = bounded_optimal_new,
    .next = dfs_next,
    .learn = dfs_learn,
    .free = dfs_free,
    .known = dfs_known,
};
