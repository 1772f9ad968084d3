// Starts the program, limits the time of each run, checks that runs are repeatable; see session.h.
#include "cli/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/deadline.h"
#include "exec/elf.h"
#include "report/text.h"
#include "trace/print.h"

#define FIRST_SHARE 20 // at first a run gets this part of the budget
#define LEAST_PATIENCE 0.05
// So many runs in a row that are cut double the patience; fewer if no run came to an end so far.
enum { TOO_MANY_CUT = 8, TOO_MANY_AT_FIRST = 2 };

// ---------------------------------------------------------------- the runner

static unsigned room(void *self) { return tsl_crew_room(((tsl_session *)self)->crew); }

static unsigned in_flight(void *self) { return tsl_crew_in_flight(((tsl_session *)self)->crew); }

static bool submit(void *self, const tsl_plan *plan, tsl_err *err) {
    return tsl_crew_submit(((tsl_session *)self)->crew, plan, err);
}

static void set_patience(tsl_session *s, double seconds) {
    s->patience = seconds < s->most_patience ? seconds : s->most_patience;
    tsl_crew_set_run_seconds(s->crew, s->patience);
}

void tsl_session_be_impatient(tsl_session *s, double seconds) {
    double share = seconds / FIRST_SHARE;
    set_patience(s, share > LEAST_PATIENCE ? share : LEAST_PATIENCE);
}

bool tsl_session_be_patient(tsl_session *s) {
    bool more = s->patience < s->most_patience && tsl_deadline_left() > 2 * s->patience;
    if (more)
        set_patience(s, 2 * s->patience);
    return more;
}

// Without inputs the next run takes as long as the last one.  With inputs another path may be short, so
// the first run that is cut leaves the others little time.
static void learn_patience(tsl_session *s, const tsl_trace_head *head) {
    bool has_inputs = head->flags & TSL_TRACE_INPUTS;
    bool may_differ = s->came_to_an_end || has_inputs;
    if (head->outcome != TSL_OUT_TIME_LIMIT) {
        s->came_to_an_end |= head->outcome == TSL_OUT_OK || tsl_outcome_is_bug(head->outcome);
        s->cut_in_a_row = 0;
        return;
    }
    if (has_inputs && !s->came_to_an_end && !s->hurried)
        set_patience(s, LEAST_PATIENCE);
    s->hurried |= has_inputs;
    if (++s->cut_in_a_row >= (may_differ ? TOO_MANY_CUT : TOO_MANY_AT_FIRST)) {
        set_patience(s, 2 * s->patience);
        s->cut_in_a_row = 0;
    }
}

static bool collect(void *self, tsl_trace *trace, tsl_err *err) {
    tsl_session *s = self;
    if (!tsl_crew_collect(s->crew, trace, err))
        return false;
    if (s->patience < s->most_patience && !tsl_deadline_passed())
        learn_patience(s, trace->head);
    return true;
}

static bool forget(void *self, tsl_err *err) {
    return tsl_crew_forget(((tsl_session *)self)->crew, err);
}

bool tsl_session_open(tsl_session *s, const tsl_exec_options *options, unsigned workers,
                      tsl_err *err) {
    memset(s, 0, sizeof *s);
    if (!tsl_elf_check(options->program, s->build, err))
        return false;
    s->program = tsl_strdup(options->program);
    s->crew = tsl_crew_new(options, workers, err);
    if (!s->crew) {
        tsl_session_close(s);
        return false;
    }
    s->runner = (tsl_runner){s, workers, room, in_flight, submit, collect, forget};
    s->patience = s->most_patience = options->run_seconds;
    const tsl_census *census = tsl_crew_census(s->crew);
    if (census->functions == 0) {
        tsl_fail(err, TSL_EPROGRAM,
                 "nothing in %s is instrumented: only its last step, linking, "
                 "was done with teasel-cc; compile its sources with it too",
                 options->program);
        tsl_session_close(s);
        return false;
    }
    s->sites.sites =
        tsl_crew_sites(s->crew, &s->sites.nsites, &s->sites.strings, &s->sites.nstrings);
    s->symbols = tsl_symbols_new(census->mapped, census->nmapped);
    tsl_cover_tables tables = tsl_crew_cover(s->crew, 0);
    s->coverage = tsl_coverage_new(&tables, &s->sites);
    return true;
}

void tsl_session_close(tsl_session *s) {
    tsl_coverage_free(s->coverage);
    tsl_symbols_free(s->symbols);
    tsl_crew_free(s->crew);
    tsl_free(s->program);
    tsl_free(s->fork_reason);
    memset(s, 0, sizeof *s);
}

void tsl_session_fork(tsl_session *s, const char *reason) {
    if (s->fork_reason)
        return;
    s->fork_reason = tsl_strdup(reason);
    tsl_crew_dismiss(s->crew); // several processes at once might disturb each other
    s->runner.workers = 1;
    tsl_crew_set_mode(s->crew, TSL_MODE_FORK);
}

// ---------------------------------------------------------------- coverage

void tsl_session_cover(tsl_session *s, const tsl_run *run) {
    unsigned worker = tsl_crew_last(s->crew);
    if (run->head->nreached <= s->covered[worker])
        return;
    tsl_cover_tables tables = tsl_crew_cover(s->crew, worker);
    tsl_coverage_update(s->coverage, &tables, s->covered[worker], run->head->nreached);
    s->covered[worker] = run->head->nreached;
}

void tsl_session_forget_cover(tsl_session *s) {
    tsl_crew_forget_cover(s->crew);
    tsl_coverage_clear(s->coverage);
    memset(s->covered, 0, sizeof s->covered);
}

// ---------------------------------------------------------------- bugs

void tsl_session_print_bug(const tsl_session *s, const tsl_bug *bug) {
    tsl_buf text = {0};
    tsl_text_style style = {.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
    tsl_text_bug(bug, &s->sites, s->symbols, style, &text);
    puts(tsl_buf_text(&text));
    tsl_buf_drop(&text);
}

// ---------------------------------------------------------------- self-check

typedef struct kept {
    uint64_t hash;
    uint32_t outcome, flags;
    tsl_run run; // the first MOST_KEPT events, without the head
} kept;

enum { MOST_KEPT = 200000 };

static bool run_and_keep(tsl_session *s, const tsl_plan *plan, kept *k, tsl_err *err) {
    tsl_run run = {0};
    bool ok = tsl_runner_run(&s->runner, plan, &run, err);
    if (ok) {
        size_t n = tsl_run_end(&run);
        k->hash = tsl_trace_hash(&run.trace);
        k->outcome = run.outcome;
        k->flags = run.head->flags;
        tsl_run_copy(&k->run, &run, 0, n < MOST_KEPT ? n : MOST_KEPT);
    }
    tsl_run_drop(&run);
    return ok;
}

static void print_one(const kept *k, size_t i, tsl_buf *out) {
    tsl_buf_add(out, "%6zu  ", i);
    if (i < tsl_run_end(&k->run))
        tsl_print_event(&k->run.trace, i, out);
}

// Says what the first event is in which two Traces differ.
static char *first_difference(const kept *a, const kept *b) {
    size_t i = tsl_run_common(&a->run, &b->run);
    tsl_buf text = {0};
    if (i == tsl_run_end(&a->run) && i == tsl_run_end(&b->run))
        return tsl_strdup("a restarted run ends differently from a fresh one");
    tsl_buf_puts(&text, "a restarted run differs from a fresh one, first at: ");
    print_one(a, i, &text);
    tsl_buf_puts(&text, " / ");
    print_one(b, i, &text);
    char *why = tsl_strdup(tsl_buf_text(&text));
    tsl_buf_drop(&text);
    return why;
}

static bool compare(tsl_session *s, const tsl_plan *plan, kept k[3], tsl_err *err) {
    tsl_crew_set_mode(s->crew, TSL_MODE_INPLACE);
    if (!run_and_keep(s, plan, &k[0], err))
        return false;
    if (k[0].outcome == TSL_OUT_TIME_LIMIT || k[0].outcome == TSL_OUT_HANG)
        return true; // where the run was cut depends on the real clock
    if (!run_and_keep(s, plan, &k[1], err))
        return false;
    tsl_crew_set_mode(s->crew, TSL_MODE_FORK);
    if (!run_and_keep(s, plan, &k[2], err))
        return false;
    if (k[1].outcome == TSL_OUT_TIME_LIMIT || k[2].outcome == TSL_OUT_TIME_LIMIT)
        k[0].outcome = TSL_OUT_TIME_LIMIT;
    if (k[0].outcome == TSL_OUT_TIME_LIMIT)
        return true;
    if (k[0].flags & TSL_TRACE_LEAKED) {
        tsl_session_fork(s, "it changes things outside the process");
        return true;
    }
    if (k[0].hash == k[1].hash && k[1].hash == k[2].hash)
        return true;
    char *why = first_difference(&k[1], &k[2]);
    tsl_session_fork(s, why);
    tsl_free(why);
    return true;
}

bool tsl_session_check(tsl_session *s, uint64_t max_steps, uint32_t flags, tsl_err *err) {
    if (tsl_crew_mode(s->crew) == TSL_MODE_FORK)
        return true;
    tsl_plan plan;
    kept k[3] = {0};
    tsl_plan_init(&plan);
    plan.max_steps = max_steps;
    plan.flags = flags;
    plan.input_seed = TSL_SIMPLE_INPUTS + TSL_SIMPLE_ZEROS;
    bool ok = true;
    bool slow = false; // a program that hangs would hang again in the next round
    for (unsigned round = 0; ok && round < 3 && !s->fork_reason && !slow && !tsl_deadline_passed();
         round++) {
        plan.policy = round == 0 ? TSL_POLICY_STAY : TSL_POLICY_RANDOM;
        plan.seed = round;
        ok = compare(s, &plan, k, err);
        slow = k[0].outcome == TSL_OUT_TIME_LIMIT || k[0].outcome == TSL_OUT_HANG;
    }
    if (ok && !s->fork_reason)
        tsl_crew_set_mode(s->crew, TSL_MODE_INPLACE);
    tsl_session_forget_cover(s); // these runs do not belong to the search
    for (unsigned i = 0; i < 3; i++)
        tsl_run_drop(&k[i].run);
    tsl_plan_drop(&plan);
    return ok;
}
