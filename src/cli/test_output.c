// What `teasel test` prints before and after the search, and its exit code.
#include <stdio.h>

#include "base/deadline.h"
#include "cli/cli.h"
#include "cli/races.h"
#include "cli/test.h"
#include "explore/feedback.h"
#include "explore/inputs.h"
#include "report/census.h"

// ---------------------------------------------------------------- before the search

void tsl_test_print_fork(const tsl_test *t) {
    char instead[40] = "";
    if (t->set->workers > 1)
        snprintf(instead, sizeof instead, ", one at a time (not -j %u)", (unsigned)t->set->workers);
    if (t->session.fork_reason && !t->set->quiet)
        printf("one process per run%s: %s\n", instead, t->session.fork_reason);
    fflush(stdout);
}

void tsl_test_print_census(tsl_test *t) {
    if (t->set->quiet)
        return;
    tsl_buf text = {0};
    t->census = *tsl_crew_census(t->session.crew);
    tsl_census_text(&t->census, &t->session.sites, &text);
    fputs(tsl_buf_text(&text), stdout);
    tsl_test_print_fork(t);
    tsl_buf_drop(&text);
}

// ---------------------------------------------------------------- the claim

// A failing run, as opposed to a data race, ends the search.
static bool has_failure(const tsl_test *t) {
    for (size_t i = 0; i < t->bugs.len; i++)
        if (!t->bugs.data[i]->is_race)
            return true;
    return false;
}

// Adds what the census and the end of the search say.
static void conclude(tsl_test *t, const tsl_census *census) {
    tsl_claim_weaken_bits(&t->claim, census->weakened);
    tsl_claim_weaken(&t->claim, TSL_REASON_INTERRUPTED, tsl_deadline_interrupted());
    tsl_claim_weaken(&t->claim, TSL_REASON_FINDING, has_failure(t) && !t->set->keep_going);
}

static int exit_code(const tsl_test *t) {
    if (t->bugs.len)
        return TSL_EXIT_BUGS;
    bool short_of = t->set->require && !tsl_claim_meets(&t->claim, &t->set->required);
    return tsl_claim_is_empty(&t->claim) || short_of ? TSL_EXIT_UNTESTED : TSL_EXIT_CLEAN;
}

// ---------------------------------------------------------------- the summary

static void add_solver(tsl_summary *s, const tsl_inputs *inputs) {
    if (!inputs || !inputs->solver)
        return;
    const tsl_solver_stats *stats = tsl_solver_statistics(inputs->solver);
#define TSL_SOLVER_STAT(name, doc) tsl_vec_push(&s->solver, (tsl_count){#name, stats->name});
#include "solve/stats.def"
#undef TSL_SOLVER_STAT
#define TSL_LINK(NAME, name, doc)                                                                  \
    tsl_vec_push(&s->solver, (tsl_count){"by_" #name, stats->links[TSL_LINK_##NAME].sat +          \
                                                          stats->links[TSL_LINK_##NAME].unsat});
#include "solve/links.def"
#undef TSL_LINK
}

static tsl_novelty novelty_of(const tsl_feedback *f) {
    return (tsl_novelty){.runs = f->runs,
                         .mutated = f->mutated,
                         .successions = f->successions.len,
                         .reads_from = f->reads.len,
                         .last_order = f->last_order,
                         .last_pair = f->last_pair};
}

static tsl_summary summary_of(const tsl_test *t) {
    const tsl_session *session = &t->session;
    return (tsl_summary){.claim = &t->claim,
                         .counts = &t->counts,
                         .strategy = t->kind->name,
                         .program = session->program,
                         .seed = t->set->seed,
                         .has_traces = true,
                         .exits = &t->exits,
                         .mode = tsl_crew_mode(session->crew),
                         .mode_reason = session->fork_reason,
                         .workers = tsl_crew_workers(session->crew),
                         .restarts = tsl_crew_restarts(session->crew),
                         .bugs = &t->bugs,
                         .sites = &session->sites,
                         .symbols = session->symbols,
                         .coverage = session->coverage};
}

// ---------------------------------------------------------------- all of it

static void print_end(const tsl_test *t, const tsl_summary *summary) {
    tsl_buf text = {0};
    if (!t->set->quiet)
        tsl_census_later_text(summary->census, &t->census, summary->sites, &text);
    tsl_summary_text(summary, &text);
    fputs(tsl_buf_text(&text), stdout);
    tsl_buf_drop(&text);
}

int tsl_test_report(tsl_test *t) {
    const tsl_strategy *strategy = t->campaign.strategy;
    tsl_census census = *tsl_crew_census(t->session.crew);
    tsl_summary summary = summary_of(t);
    tsl_novelty novelty;
    tsl_buf verdict = {0}, story = {0};
    tsl_races_note(&t->suspects, &t->session.sites, &census);
    conclude(t, &census);
    tsl_claim_words(&t->claim, &verdict);
    if (t->kind->tell)
        t->kind->tell(strategy, &story);
    if (strategy->feedback) {
        novelty = novelty_of(strategy->feedback);
        summary.novelty = &novelty;
    }
    add_solver(&summary, strategy->inputs);
    summary.verdict = t->bugs.len ? "bugs found" : tsl_buf_text(&verdict);
    summary.story = tsl_buf_text(&story);
    summary.census = &census;
    print_end(t, &summary);
    tsl_test_save_paths(t);
    fflush(stdout);
    int code = tsl_test_write_files(t, &summary, exit_code(t));
    tsl_vec_drop(&summary.solver);
    tsl_buf_drop(&verdict);
    tsl_buf_drop(&story);
    return code;
}
