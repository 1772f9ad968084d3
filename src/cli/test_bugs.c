// What happens to the bugs that `teasel test` finds: saved at once, made shorter after the search,
// and reported.
#include "base/clock.h"
#include "base/deadline.h"
#include "cli/races.h"
#include "cli/test.h"
#include "explore/confirm.h"
#include "explore/minimise.h"

#define MINIMISE_RUNS 1000
#define MINIMISE_SECONDS 5.0
// After the budget is used up: time to confirm and shorten what was found; the same after a signal
// asked for the end; and time to look up names for reports.
#define FINISH_SECONDS 0.4
#define HASTY_SECONDS 0.2
#define NAME_SECONDS 0.1

static uint64_t signature_of(const tsl_test *t, const tsl_run *run) {
    return tsl_bug_signature(run, &t->session.sites, t->session.symbols);
}

static bool is_known(const tsl_test *t, uint64_t signature) {
    for (size_t i = 0; i < t->bugs.len; i++)
        if (t->bugs.data[i]->signature == signature)
            return true;
    return false;
}

// The replay is written as the bug was found, so that it is there should the tool itself come to an
// end.  The shortest schedule replaces it later.
static void keep(tsl_test *t, tsl_bug *bug, uint64_t execution) {
    bug->executions_to_find = execution;
    tsl_vec_push(&t->bugs, bug);
    tsl_test_save_replay(t, bug, t->bugs.len, true);
}

void tsl_test_keep_bug(tsl_test *t, const tsl_run *run) {
    if (!is_known(t, signature_of(t, run)))
        keep(t, tsl_bug_new(run, t->campaign.plan, &t->session.sites, t->session.symbols),
             t->counts.executions);
}

// ---------------------------------------------------------------- races

static bool is_known_race(void *self, uint32_t a, uint32_t b) {
    const tsl_test *t = self;
    return is_known(t, tsl_bug_signature_race(&t->session.sites, a, b));
}

static void report_race(void *self, const tsl_suspect *suspect, const tsl_plan *plan,
                        const tsl_shown_race *shown) {
    tsl_test *t = self;
    keep(t, tsl_races_bug(&t->session, plan, shown), suspect->execution);
}

static unsigned minimise_runs(const tsl_test *t) {
    const tsl_counts *n = &t->counts;
    double run = n->executions ? n->seconds / (double)n->executions : 0;
    return run * MINIMISE_RUNS > MINIMISE_SECONDS ? 1 + (unsigned)(MINIMISE_SECONDS / run)
                                                  : MINIMISE_RUNS;
}

// The runs that make one bug shorter are shared among all races, down to a twentieth.
static bool confirm_races(tsl_test *t, tsl_err *err) {
    size_t n = t->suspects.list.len;
    unsigned runs = n ? minimise_runs(t) / (unsigned)(n < 20 ? n : 20) : 0;
    tsl_race_reporter reporter = {t, tsl_races_lines(&t->session.sites), is_known_race,
                                  report_race};
    return tsl_confirm(&t->suspects, &t->session.runner, runs, &reporter, err);
}

// ---------------------------------------------------------------- shorter schedules

typedef struct same_bug {
    const tsl_test *test;
    uint64_t signature;
} same_bug;

static bool is_same(void *self, const tsl_run *run) {
    const same_bug *s = self;
    return tsl_outcome_is_bug(run->outcome) && signature_of(s->test, run) == s->signature;
}

// Races are short already.  Runs that were killed or hang take too long, or end by chance.
static bool can_be_shorter(const tsl_bug *bug) {
    return bug->outcome != TSL_OUT_KILLED && bug->outcome != TSL_OUT_HANG && !bug->is_race;
}

// Replaces a bug by the same bug with fewer switches.  What was found stays if the program does not
// repeat itself.
static bool minimise(tsl_test *t, tsl_bug **bug, tsl_err *err) {
    same_bug same = {t, (*bug)->signature};
    tsl_goal goal = {&same, is_same};
    tsl_plan plan;
    tsl_run run = {0};
    if (!can_be_shorter(*bug) || tsl_deadline_passed())
        return true;
    tsl_plan_init(&plan);
    tsl_plan_copy(&plan, &(*bug)->plan);
    bool ok = tsl_minimise(&t->session.runner, &goal, &plan, minimise_runs(t), err) &&
              tsl_runner_run(&t->session.runner, &plan, &run, err);
    if (ok && is_same(&same, &run)) {
        tsl_bug *shorter = tsl_bug_new(&run, &plan, &t->session.sites, t->session.symbols);
        shorter->executions_to_find = (*bug)->executions_to_find;
        tsl_bug_free(*bug);
        *bug = shorter;
    }
    tsl_plan_drop(&plan);
    tsl_run_drop(&run);
    return ok;
}

// ---------------------------------------------------------------- reports

// In a large program each name takes its time.
static void hurry(tsl_symbols *symbols, double *late_since) {
    if (!tsl_deadline_passed())
        return;
    double now = tsl_clock_now();
    *late_since = *late_since == 0 ? now : *late_since;
    if (now - *late_since > NAME_SECONDS)
        tsl_symbols_hurry(symbols);
}

// Bugs are saved before anything else is tried with them, and reported whatever comes of that.
bool tsl_test_finish_bugs(tsl_test *t, tsl_err *err) {
    double late_since = 0;
    tsl_deadline_extend(tsl_deadline_interrupted() ? HASTY_SECONDS : FINISH_SECONDS);
    bool ok = confirm_races(t, err);
    for (size_t i = 0; i < t->bugs.len; i++) {
        ok = ok && minimise(t, &t->bugs.data[i], err);
        if (!t->bugs.data[i]->replay) // else the bug is still the one that was saved
            tsl_test_save_replay(t, t->bugs.data[i], i + 1, false);
        hurry(t->session.symbols, &late_since);
        tsl_session_print_bug(&t->session, t->bugs.data[i]);
    }
    return ok;
}
