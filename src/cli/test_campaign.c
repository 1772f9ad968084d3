// The campaign of `teasel test`, and what is done with each run.
#include <string.h>

#include "base/deadline.h"
#include "cli/test.h"

// The observer of a campaign.
typedef struct watcher {
    tsl_test *test;
    const char *fork_because; // why restarting in place turned out to be wrong, or NULL
} watcher;

// ---------------------------------------------------------------- each run

static const char *must_fork(const tsl_session *session, const tsl_run *run) {
    if (session->fork_reason)
        return NULL;
    return run->head->flags & TSL_TRACE_LEAKED      ? "it changes things outside the process"
           : run->head->flags & TSL_TRACE_LATE_PAGE ? "a restart overlooked memory that had changed"
                                                    : NULL;
}

// Keeps the first run of each path.  A run that fails replaces it.
static void keep_path(tsl_test *t, const tsl_run *run) {
    tsl_where where;
    if (!(run->head->flags & TSL_TRACE_INPUTS) || !run->trace.nnodes ||
        !(t->campaign.new_path || tsl_outcome_is_bug(run->outcome)))
        return;
    tsl_sites_get(&t->session.sites, run->head->site, &where);
    tsl_paths_keep(&t->paths, t->campaign.path, &run->trace, where.file, where.line);
}

static bool on_run(void *self, const tsl_campaign *campaign, const tsl_run *run) {
    watcher *w = self;
    tsl_test *t = w->test;
    (void)campaign; // that of the test
    tsl_session_cover(&t->session, run);
    tsl_status_show(&t->status, t);
    if (tsl_deadline_interrupted() && !tsl_outcome_is_bug(run->outcome))
        return false;
    w->fork_because = must_fork(&t->session, run);
    if (w->fork_because)
        return false;
    keep_path(t, run);
    tsl_exits_add(&t->exits, run->head);
    if (!tsl_outcome_is_bug(run->outcome))
        return true;
    tsl_test_keep_bug(t, run);
    return t->set->keep_going;
}

// ---------------------------------------------------------------- one campaign

static bool verify_traces(const tsl_test *t, tsl_err *err) {
    const tsl_counts *n = &t->counts;
    if (!t->set->verify_traces || !t->kind->analyses || t->kind->samples || !n->repeated)
        return true;
    return tsl_fail(err, TSL_EPROGRAM,
                    "--verify-traces: %lu runs of %lu showed a partial order seen before",
                    (unsigned long)n->repeated, (unsigned long)n->executions);
}

void tsl_test_free_strategy(tsl_test *t) {
    tsl_strategy *strategy = t->campaign.strategy;
    if (strategy && !t->campaign.abandoned)
        strategy->kind->free(strategy);
    t->campaign.strategy = NULL;
}

// Executions and seconds are those of all campaigns, the other counts those of the last one.
static bool run_campaign(watcher *w, tsl_err *err) {
    tsl_test *t = w->test;
    uint64_t executions = t->counts.executions;
    double seconds = t->counts.seconds;
    tsl_test_free_strategy(t);
    t->exits = (tsl_exits){0};
    t->counts = (tsl_counts){.untried = t->counts.untried};
    t->campaign = (tsl_campaign){.runner = &t->session.runner,
                                 .strategy = t->kind->new (&t->search),
                                 .runs = t->set->runs ? t->set->runs - executions : 0,
                                 .observer = {w, on_run},
                                 .races = t->search.races,
                                 .counts = &t->counts};
    bool ok = tsl_campaign_run(&t->campaign, &t->claim, err) && verify_traces(t, err);
    t->counts.executions += executions;
    t->counts.seconds += seconds;
    return ok;
}

// ---------------------------------------------------------------- one after the other

// A search that is done although none of its runs came to an end has shown nothing.
static bool has_shown_nothing(const watcher *w) {
    const tsl_test *t = w->test;
    bool may_run = !t->set->runs || t->counts.executions < t->set->runs;
    return t->claim.reach == TSL_REACH_ALL && t->claim.ended == 0 && !w->fork_because && may_run &&
           tsl_claim_has(&t->claim, TSL_REASON_RUN_SECONDS);
}

// Begins again with more time for one run as long as nothing was shown and there is time at all.
static bool run_patiently(watcher *w, tsl_err *err) {
    bool ok = run_campaign(w, err);
    while (ok && has_shown_nothing(w) && tsl_session_be_patient(&w->test->session)) {
        tsl_paths_clear(&w->test->paths);
        ok = run_campaign(w, err);
    }
    return ok;
}

static void forget_all(tsl_test *t) {
    tsl_suspects_clear(&t->suspects);
    tsl_paths_clear(&t->paths);
    tsl_session_forget_cover(&t->session);
    t->counts.executions = 0;
    t->counts.seconds = 0;
}

// A program that reaches outside its process can't be restarted in place.  What was run so far is
// thrown away, and the search begins again with one process per run.
bool tsl_test_explore(tsl_test *t, tsl_err *err) {
    watcher w = {.test = t};
    if (!run_patiently(&w, err))
        return false;
    if (!w.fork_because)
        return true;
    tsl_session_fork(&t->session, w.fork_because);
    w.fork_because = NULL;
    tsl_status_clear(&t->status);
    tsl_test_print_fork(t);
    forget_all(t);
    return run_patiently(&w, err);
}
