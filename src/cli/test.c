// teasel test: compile if need be, explore, report.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/compile.h"
#include "cli/kept.h"
#include "cli/races.h"
#include "cli/session.h"
#include "cli/test_options.h"
#include "explore/campaign.h"
#include "explore/feedback.h"
#include "explore/inputs.h"
#include "explore/minimise.h"
#include "explore/tally.h"
#include "report/census.h"
#include "report/json.h"
#include "report/lcov.h"
#include "report/text.h"
#include "trace/paths.h"
#include "trace/replay.h"

#define MINIMISE_RUNS 1000
#define MINIMISE_SECONDS 5.0
// Behind the budget, to confirm and shorten what was found; and when a signal asks for the end.
#define FINISH_SECONDS 0.4
#define HASTY_SECONDS 0.2
#define NAME_SECONDS 0.1 // behind that, to look up names for reports
#define SAVE_SECONDS 0.2 // behind that, to write what teasel export needs

typedef struct testing {
    const tsl_test_options *set;
    tsl_session session;
    tsl_search search;
    const tsl_strategy_kind *kind;
    tsl_bugs bugs;
    tsl_races races;
    tsl_summary summary;
    tsl_claim claim;
    tsl_buf verdict;         // the claim in words
    tsl_census first_census; // as printed before the search
    tsl_census census;       // as it is after the search
    tsl_samplers samplers;   // what they came to
    tsl_buf story;           // what the strategy did, in words
    tsl_paths paths;         // of the program, for teasel export
    tsl_err write_error;     // a replay could not be saved
    tsl_err log_error;       // a question to the solver could not be logged
    double last_status;
    double late_since; // when the first report was written behind the deadline, or 0
    bool is_terminal;
    uint64_t outcomes[TSL_OUT_COUNT];
    const tsl_feedback *feedback; // of the campaign, or NULL
    const char *fork_because;     // restarting in place turned out to be wrong for it
} testing;

// ---------------------------------------------------------------- status

// When did samples last show something that none had shown?
static void add_news(const tsl_feedback *f, tsl_buf *line) {
    if (f && f->runs)
        tsl_buf_add(line, ", new pair %lu ago, new order %lu ago",
                    (unsigned long)(f->runs - f->last_pair),
                    (unsigned long)(f->runs - f->last_order));
}

// A line that wraps could not be overwritten.
static void print_status(const testing *t, tsl_buf *line) {
    struct winsize size = {0};
    if (t->is_terminal && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
        line->len >= size.ws_col)
        line->len = size.ws_col - 1u;
    fprintf(stderr, t->is_terminal ? "\r\033[K%s" : "%s\n", tsl_buf_text(line));
}

static void status(testing *t, const tsl_progress *p) {
    if (t->set->quiet || (p->executions & 63) != 0)
        return;
    double at = tsl_clock_now(), every = t->is_terminal ? 0.2 : 5.0;
    if (t->last_status == 0)
        t->last_status = at;
    if (at - t->last_status < every)
        return;
    t->last_status = at;
    size_t reached, branches;
    tsl_coverage_branches(t->session.coverage, &reached, &branches);
    tsl_buf line = {0};
    tsl_buf_add(&line, "%s: %lu runs, %.0f a second, %lu%s distinct", t->kind->name,
                (unsigned long)p->executions,
                p->seconds > 0 ? (double)p->executions / p->seconds : 0,
                (unsigned long)p->interleavings, p->interleavings_cut ? "+" : "");
    double left = tsl_progress_left(p);
    if (left > 0)
        tsl_buf_add(&line, left < 1e6 ? ", about %.0f left" : ", about %.1e left", left);
    tsl_buf_add(&line, ", %zu/%zu branches, %zu bug%s%s", reached, branches, t->bugs.len,
                t->bugs.len == 1 ? "" : "s", t->races.suspects.len ? ", races" : "");
    add_news(t->feedback, &line);
    print_status(t, &line);
    tsl_buf_drop(&line);
}

static void clear_status(const testing *t) {
    if (t->is_terminal && !t->set->quiet)
        fputs("\r\033[K", stderr);
}

// ---------------------------------------------------------------- bugs

static bool is_known(const testing *t, uint64_t signature) {
    for (size_t i = 0; i < t->bugs.len; i++)
        if (t->bugs.data[i]->signature == signature)
            return true;
    return false;
}

// Of runs that take the same path under several schedules, one that fails.
static void keep_path(testing *t, const tsl_run *run, const tsl_progress *progress) {
    tsl_where where;
    if (!(run->head->flags & TSL_TRACE_INPUTS) || !run->trace.nnodes ||
        !(progress->new_path || tsl_outcome_is_bug(run->outcome)))
        return;
    tsl_sites_get(&t->session.sites, run->head->site, &where);
    tsl_paths_keep(&t->paths, progress->path, &run->trace, where.file, where.line);
}

static const char *program_name(const testing *t) {
    const char *base = strrchr(t->session.program, '/');
    return base ? base + 1 : t->session.program;
}

static void fill_replay(tsl_replay *r, const testing *t, const tsl_bug *bug) {
    r->program = tsl_strdup(t->session.program);
    for (size_t i = 0; i < t->set->args.len; i++)
        tsl_vec_push(&r->args, tsl_strdup(t->set->args.data[i]));
    if (t->set->outside.stdin_path)
        r->stdin_path = tsl_strdup(t->set->outside.stdin_path);
    tsl_outsides_copy(&r->outside, &t->set->outside.outside);
    if (t->set->via)
        r->via = tsl_strdup(t->set->via);
    if (t->session.build[0])
        r->build = tsl_strdup(t->session.build);
    r->kind = tsl_strdup(bug->kind);
    r->message = tsl_strdup(bug->message);
    r->file = bug->file ? tsl_strdup(bug->file) : NULL;
    r->line = bug->line;
    tsl_plan_copy(&r->plan, &bug->plan);
    r->has_trace = true;
    r->trace_hash = bug->trace_hash;
}

// If the file can't be written the replay is printed, so that it is not lost.
static void write_replay(testing *t, tsl_bug *bug, size_t number, bool at_once) {
    tsl_replay replay;
    tsl_err err = {0};
    tsl_replay_init(&replay);
    fill_replay(&replay, t, bug);
    char *path = tsl_asprintf("%s/%s-%zu.replay", t->set->out, program_name(t), number);
    tsl_free(bug->replay);
    bug->replay = NULL;
    if (tsl_file_make_folder(t->set->out, &err) && tsl_replay_write(path, &replay, &err))
        bug->replay = tsl_strdup(path);
    else if (at_once)
        ; // it is tried again, and said, at the end
    else {
        tsl_buf text = {0};
        tsl_replay_format(&replay, &text);
        printf("the replay could not be saved; it is:\n%s", tsl_buf_text(&text));
        tsl_buf_drop(&text);
        tsl_fail(&t->write_error, err.code, "%s", err.text);
    }
    tsl_free(path);
    tsl_replay_drop(&replay);
}

static void save_replay(testing *t, tsl_bug *bug, size_t number) {
    write_replay(t, bug, number, false);
}

// As it was found, so that it is there should the tool itself come to an end.  The shortest schedule
// replaces it later.
static void save_at_once(testing *t, tsl_bug *bug, size_t number) {
    write_replay(t, bug, number, true);
}

static bool on_run(void *self, const tsl_plan *plan, const tsl_run *run,
                   const tsl_progress *progress) {
    testing *t = self;
    tsl_session_cover(&t->session, run);
    status(t, progress);
    if (tsl_deadline_interrupted() && !tsl_outcome_is_bug(run->outcome))
        return false;
    if ((run->head->flags & (TSL_TRACE_LEAKED | TSL_TRACE_LATE_PAGE)) && !t->session.fork_reason) {
        t->fork_because = run->head->flags & TSL_TRACE_LEAKED
                              ? "it changes things outside the process"
                              : "a restart overlooked memory that had changed";
        return false;
    }
    keep_path(t, run, progress);
    tsl_exits_add(&t->summary.exits, run->head);
    if (!tsl_outcome_is_bug(run->outcome))
        return true;
    if (!is_known(t, tsl_bug_signature(run, &t->session.sites, t->session.symbols))) {
        tsl_bug *bug = tsl_bug_new(run, plan, &t->session.sites, t->session.symbols);
        bug->executions_to_find = progress->executions;
        tsl_vec_push(&t->bugs, bug);
        save_at_once(t, bug, t->bugs.len);
    }
    return t->set->keep_going;
}

typedef struct same_bug {
    testing *t;
    uint64_t signature;
} same_bug;

static bool is_same(void *self, const tsl_run *run) {
    same_bug *s = self;
    return tsl_outcome_is_bug(run->outcome) &&
           tsl_bug_signature(run, &s->t->session.sites, s->t->session.symbols) == s->signature;
}

static unsigned minimise_runs(const testing *t) {
    double run = t->summary.executions ? t->summary.seconds / (double)t->summary.executions : 0;
    return run * MINIMISE_RUNS > MINIMISE_SECONDS ? 1 + (unsigned)(MINIMISE_SECONDS / run)
                                                  : MINIMISE_RUNS;
}

// Replaces a bug by the same one with fewer switches.  What was found stays if the
// program does not cooperate.
static bool minimise(testing *t, size_t i, tsl_err *err) {
    tsl_bug *bug = t->bugs.data[i];
    same_bug same = {t, bug->signature};
    tsl_goal goal = {&same, is_same};
    tsl_plan plan;
    tsl_run run = {0};
    if (bug->outcome == TSL_OUT_KILLED || bug->outcome == TSL_OUT_HANG || bug->is_race ||
        tsl_deadline_passed())
        return true;
    tsl_plan_init(&plan);
    tsl_plan_copy(&plan, &bug->plan);
    bool ok = tsl_minimise(&t->session.runner, &goal, &plan, minimise_runs(t), err) &&
              tsl_runner_run(&t->session.runner, &plan, &run, err);
    if (ok && is_same(&same, &run)) {
        tsl_bug *shorter = tsl_bug_new(&run, &plan, &t->session.sites, t->session.symbols);
        shorter->executions_to_find = bug->executions_to_find;
        tsl_bug_free(bug);
        t->bugs.data[i] = shorter;
    }
    tsl_plan_drop(&plan);
    tsl_run_drop(&run);
    return ok;
}

// Nobody asked for them, so that they can't be saved is said and changes nothing else.
static void save_paths(testing *t) {
    tsl_paths *p = &t->paths;
    tsl_err err = {0};
    if (!t->summary.has_inputs)
        return;
    tsl_deadline_extend(SAVE_SECONDS);
    p->program = tsl_strdup(t->session.program);
    for (size_t i = 0; i < t->set->args.len; i++)
        tsl_vec_push(&p->args, tsl_strdup(t->set->args.data[i]));
    p->stdin_path = t->set->outside.stdin_path ? tsl_strdup(t->set->outside.stdin_path) : NULL;
    char *path = tsl_asprintf("%s/%s.paths", t->set->out, program_name(t));
    if (!tsl_file_make_folder(t->set->out, &err) || !tsl_paths_write(path, p, &err))
        fprintf(stderr, "teasel: nothing is kept for teasel export: %s\n", err.text);
    else if (!t->set->quiet && p->left_out)
        printf("  the first %zu paths are kept in %s; there was no room or time for %lu more\n",
               p->list.len, path, (unsigned long)p->left_out);
    else if (!t->set->quiet)
        printf("  their inputs are kept in %s: see teasel export\n", path);
    tsl_free(path);
}

static void found_race(void *self, tsl_bug *bug, size_t number) { save_at_once(self, bug, number); }

// Shown one by one; what a race costs is shared among all of them.
static bool confirm_races(testing *t, tsl_err *err) {
    t->races.finder = t;
    t->races.found = found_race;
    size_t n = t->races.suspects.len;
    unsigned runs = n ? minimise_runs(t) / (unsigned)(n < 20 ? n : 20) : 0;
    bool ok = tsl_races_confirm(&t->races, &t->session, runs, &t->bugs, err);
    t->summary.unconfirmed = t->races.unconfirmed;
    t->summary.untried = t->races.untried;
    return ok;
}

// In a large program each name takes its time.
static void hurry(testing *t) {
    if (!tsl_deadline_passed())
        return;
    double now = tsl_clock_now();
    t->late_since = t->late_since == 0 ? now : t->late_since;
    if (now - t->late_since > NAME_SECONDS)
        tsl_symbols_hurry(t->session.symbols);
}

// What was found is saved before anything else is tried with it, and told whatever comes of that.
static bool finish_bugs(testing *t, tsl_err *err) {
    tsl_deadline_extend(tsl_deadline_interrupted() ? HASTY_SECONDS : FINISH_SECONDS);
    bool ok = confirm_races(t, err);
    for (size_t i = 0; i < t->bugs.len; i++) {
        if (ok)
            ok = minimise(t, i, err);
        if (!t->bugs.data[i]->replay) // else it is the one that was saved
            save_replay(t, t->bugs.data[i], i + 1);
        tsl_buf text = {0};
        tsl_text_style style = {.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
        hurry(t);
        tsl_text_bug(t->bugs.data[i], &t->session.sites, t->session.symbols, style, &text);
        puts(tsl_buf_text(&text));
        tsl_buf_drop(&text);
    }
    return ok;
}

// ---------------------------------------------------------------- the campaign

static void add_progress(tsl_summary *s, const tsl_progress *p) {
    s->executions += p->executions;
    s->interleavings = p->interleavings;
    s->has_traces = true;
    s->traces = p->traces;
    s->blocked = p->blocked;
    s->begun_again = p->begun_again;
    s->seconds += p->seconds;
    s->has_inputs = (p->flags & TSL_TRACE_INPUTS) != 0;
    s->paths = p->paths;
    s->rejected = p->cut_runs[TSL_OUT_REJECTED];
    s->mispredicted = p->mispredicted;
    static char because[TSL_MESSAGE]; // the campaign goes before the report is written
    memcpy(because, p->diverged_because, sizeof because);
    s->stray = (tsl_stray_run){p->diverged_in, p->divergence, because};
}

static void add_solver(tsl_summary *s, const tsl_inputs *inputs) {
    tsl_vec_clear(&s->solver);
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

static void add_feedback(tsl_summary *s, const tsl_feedback *f) {
    s->has_feedback = f != NULL;
    if (!f)
        return;
    s->sampled = f->runs;
    s->mutated = f->mutated;
    s->successions = f->successions.len;
    s->reads_from = f->reads.len;
    s->last_order = f->last_order;
    s->last_pair = f->last_pair;
}

static void add_sampler(tsl_samplers *s, const char *name, const tsl_tally *tally) {
    tsl_sampled one = {.sampler = tsl_strdup(name), .left_out = tally->left_out};
    tsl_sampled_count(&one, tally->times.data, tally->times.len);
    for (size_t i = 0; i < tally->curve.len; i++) {
        const tsl_tally_point *p = &tally->curve.data[i];
        tsl_vec_push(&one.curve, (tsl_sampled_point){p->runs, p->orders, p->successions, p->reads});
    }
    const tsl_tally_point *now = &tally->now;
    if (tsl_vec_last(&one.curve).runs < now->runs)
        tsl_vec_push(&one.curve,
                     (tsl_sampled_point){now->runs, now->orders, now->successions, now->reads});
    tsl_vec_push(&s->list, one);
}

// The order of the policies is that of the documentation.
static void add_samplers(tsl_samplers *s, const tsl_tallies *tallies) {
    static const struct {
        unsigned policy;
        const char *name;
    } samplers[] = {
#define TSL_SAMPLER(NAME, name, wants, help) {TSL_POLICY_##NAME, #name},
#include "abi/samplers.def"
#undef TSL_SAMPLER
    };
    for (size_t i = 0; tallies && i < sizeof samplers / sizeof *samplers; i++)
        if (tallies->of[samplers[i].policy].runs)
            add_sampler(s, samplers[i].name, &tallies->of[samplers[i].policy]);
}

static bool run_campaign(testing *t, tsl_err *err) {
    tsl_campaign c = {.runner = &t->session.runner,
                      .strategy = t->kind->new (&t->search),
                      .budget = {t->set->runs ? t->set->runs - t->summary.executions : 0},
                      .observer = {t, on_run},
                      .races = t->search.races};
    t->summary.exits = (tsl_exits){0};
    t->races.progress = &c.progress;
    t->feedback = c.strategy->feedback;
    bool ok = tsl_campaign_run(&c, &t->claim, err);
    if (ok) {
        add_progress(&t->summary, &c.progress);
        add_solver(&t->summary, c.strategy->inputs);
        add_feedback(&t->summary, c.strategy->feedback);
        tsl_samplers_drop(&t->samplers);
        add_samplers(&t->samplers, c.strategy->tallies);
        tsl_buf_clear(&t->story);
        if (t->kind->tell)
            t->kind->tell(c.strategy, &t->story);
        t->summary.story = tsl_buf_text(&t->story);
    }
    if (ok && t->set->verify_traces && t->kind->analyses && !t->kind->samples &&
        c.progress.repeated)
        ok = tsl_fail(err, TSL_EPROGRAM,
                      "--verify-traces: %lu runs of %lu showed a partial order seen before",
                      (unsigned long)c.progress.repeated, (unsigned long)c.progress.executions);
    memcpy(t->outcomes, c.progress.cut_runs, sizeof t->outcomes);
    if (!c.abandoned)
        c.strategy->kind->free(c.strategy);
    tsl_campaign_drop(&c);
    t->races.progress = NULL;
    t->feedback = NULL;
    return ok;
}

static void say_fork(const testing *t) {
    char instead[40] = "";
    if (t->set->workers > 1)
        snprintf(instead, sizeof instead, ", one at a time (not -j %u)", (unsigned)t->set->workers);
    if (t->session.fork_reason && !t->set->quiet)
        printf("one process per run%s: %s\n", instead, t->session.fork_reason);
    fflush(stdout);
}

// A search that is through although none of its runs came to an end has shown nothing: it starts over with more time
// for one run, as long as there is time at all.
static bool has_shown_nothing(const testing *t) {
    bool may_run = !t->set->runs || t->summary.executions < t->set->runs;
    return t->claim.reach == TSL_REACH_ALL && t->claim.ended == 0 && !t->fork_because && may_run &&
           tsl_claim_has(&t->claim, TSL_REASON_RUN_SECONDS);
}

static bool run_patiently(testing *t, tsl_err *err) {
    bool ok = run_campaign(t, err);
    while (ok && has_shown_nothing(t) && tsl_session_be_patient(&t->session)) {
        tsl_paths_clear(&t->paths);
        ok = run_campaign(t, err);
    }
    return ok;
}

// A program that reaches outside its process can't be restarted in place: what was
// run so far is thrown away and the search starts over, one process per run.
static bool explore(testing *t, tsl_err *err) {
    if (!run_patiently(t, err))
        return false;
    if (!t->fork_because)
        return true;
    tsl_session_fork(&t->session, t->fork_because);
    t->fork_because = NULL;
    clear_status(t);
    say_fork(t);
    tsl_races_clear(&t->races);
    tsl_paths_clear(&t->paths);
    tsl_session_forget_cover(&t->session);
    t->summary.executions = 0;
    t->summary.seconds = 0;
    return run_patiently(t, err);
}

// A failing run, as opposed to a data race, ends the search.
static bool has_failure(const testing *t) {
    for (size_t i = 0; i < t->bugs.len; i++)
        if (!t->bugs.data[i]->is_race)
            return true;
    return false;
}

// What the census and the end of the campaign add to the claim; then words and exit code.
static int conclude(testing *t) {
    tsl_claim *claim = &t->claim;
    t->census = *tsl_crew_census(t->session.crew);
    tsl_races_note(&t->races, &t->session.sites, &t->census);
    tsl_claim_weaken_bits(claim, t->census.weakened);
    bool failed = has_failure(t) && !t->set->keep_going;
    tsl_claim_weaken(claim, TSL_REASON_INTERRUPTED, tsl_deadline_interrupted());
    tsl_claim_weaken(claim, TSL_REASON_FINDING, failed);
    tsl_claim_words(claim, &t->verdict);
    t->summary.claim = claim;
    t->summary.verdict = t->bugs.len ? "bugs found" : tsl_buf_text(&t->verdict);
    if (t->bugs.len)
        return TSL_EXIT_BUGS;
    bool short_of = t->set->require && !tsl_claim_meets(claim, &t->set->required);
    return tsl_claim_is_empty(claim) || short_of ? TSL_EXIT_UNTESTED : TSL_EXIT_CLEAN;
}

static void print_census(testing *t) {
    if (t->set->quiet)
        return;
    tsl_buf text = {0};
    t->first_census = *tsl_crew_census(t->session.crew);
    tsl_census_text(&t->first_census, &t->session.sites, &text);
    fputs(tsl_buf_text(&text), stdout);
    say_fork(t);
    tsl_buf_drop(&text);
}

// Nobody may ever ask, so a folder that can't be written is no failure.
static void keep_for_report(const testing *t, tsl_lcov *lcov) {
    tsl_buf text = {0};
    tsl_err err = {0};
    const char *program = t->session.program;
    tsl_lcov_keep(lcov, &text);
    bool covered = tsl_kept_write(t->set->out, program, TSL_KEPT_COVERAGE, &text, &err);
    tsl_buf_clear(&text);
    tsl_samplers_keep(&t->samplers, &text);
    bool sampled = tsl_kept_write(t->set->out, program, TSL_KEPT_SAMPLING, &text, &err);
    if (!(covered && sampled) && t->write_error.code == TSL_EOK) // else that says it
        fprintf(stderr, "teasel: %s is kept for teasel report: %s\n",
                covered || sampled ? "not everything" : "nothing", err.text);
    tsl_buf_drop(&text);
}

static bool write_coverage(const testing *t, tsl_err *err) {
    tsl_lcov lcov = {0};
    tsl_lcov_add(&lcov, t->session.coverage);
    keep_for_report(t, &lcov);
    bool ok = !t->set->coverage || tsl_lcov_write(t->set->coverage, &lcov, err);
    tsl_lcov_drop(&lcov);
    return ok;
}

// A file that can't be written is no reason to leave out the next.
static int write_files(testing *t, int code, tsl_err *err) {
    if (t->set->json && !tsl_json_write(t->set->json, &t->summary, err)) {
        code = tsl_cli_error(err);
        tsl_err_clear(err);
    }
    if (!write_coverage(t, err))
        code = tsl_cli_error(err);
    if (t->log_error.code != TSL_EOK)
        fprintf(stderr, "teasel: the solver's log has gaps: %s\n", t->log_error.text);
    if (t->write_error.code != TSL_EOK)
        return tsl_cli_error(&t->write_error);
    return code;
}

static int report(testing *t, int code, tsl_err *err) {
    tsl_buf text = {0};
    tsl_summary *s = &t->summary;
    s->strategy = t->kind->name;
    s->program = t->session.program;
    s->seed = t->set->seed;
    s->mode = tsl_crew_mode(t->session.crew);
    s->mode_reason = t->session.fork_reason;
    s->outcomes = t->outcomes;
    s->workers = tsl_crew_workers(t->session.crew);
    s->restarts = tsl_crew_restarts(t->session.crew);
    s->bugs = &t->bugs;
    s->census = &t->census;
    s->sites = &t->session.sites;
    s->symbols = t->session.symbols;
    s->coverage = t->session.coverage;
    if (!t->set->quiet)
        tsl_census_later_text(s->census, &t->first_census, s->sites, &text);
    tsl_summary_text(s, &text);
    fputs(tsl_buf_text(&text), stdout);
    tsl_buf_drop(&text);
    save_paths(t);
    fflush(stdout);
    return write_files(t, code, err);
}

static int test_program(testing *t, const char *program, tsl_err *err) {
    const tsl_test_options *s = t->set;
    tsl_words args = s->args;
    tsl_vec_push(&args, NULL);
    tsl_exec_options options = {.program = program,
                                .args = args.data,
                                .stdin_path = s->outside.stdin_path,
                                .outside = &s->outside.outside,
                                .via = s->via,
                                .max_steps = s->steps,
                                .run_seconds = s->run_seconds,
                                .mode = s->fork ? TSL_MODE_FORK : TSL_MODE_INPLACE};
    bool bounded = s->iterate || s->preemptions != TSL_ANY_PREEMPTIONS;
    t->search = (tsl_search){
        .seed = s->seed,
        .random_order = s->order == 1,
        .preemptions = bounded ? (int64_t)s->preemptions : -1,
        .iterate = s->iterate,
        .max_steps = s->steps,
        .flags = (s->leaks ? TSL_PLAN_LEAKS : 0u) | (s->fail_on_exit ? TSL_PLAN_EXIT_STATUS : 0u) |
                 (s->spurious ? TSL_PLAN_SPURIOUS : 0u) | (s->overflow ? TSL_PLAN_OVERFLOW : 0u),
        .max_branches = (uint32_t)s->depth,
        .path_order = s->path_order,
        .runs = s->runs,
        .seconds = s->seconds,
        .workers = (unsigned)s->workers,
        .preempt_all = s->preempt == 1,
        .bug_depth = (uint32_t)s->bug_depth,
        .solver = {.seconds = s->solver_seconds,
                   .log_dir = s->solver_log,
                   .log_err = &t->log_error,
                   .check = s->solver_check,
                   .seed = s->seed}};
    tsl_races_init(&t->races, &t->search);
    t->search.races = &t->races.sink;
    t->kind = tsl_strategies[s->strategy];
    if (bounded && t->kind == &tsl_strategy_optimal)
        t->kind = &tsl_bounded_optimal;
    if (!tsl_session_open(&t->session, &options, (unsigned)s->workers, err))
        return tsl_cli_error(err);
    if (s->seconds > 0)
        tsl_session_be_impatient(&t->session, s->seconds);
    if (!tsl_session_check(&t->session, s->steps, t->search.flags, err))
        return tsl_cli_error(err);
    print_census(t);
    if (!explore(t, err))
        return tsl_cli_error(err);
    clear_status(t);
    bool finished = finish_bugs(t, err);
    tsl_err failure = {0};
    int code = report(t, conclude(t), &failure);
    return finished ? code : tsl_cli_error(err);
}

static void drop(testing *t, tsl_test_options *s) {
    for (size_t i = 0; i < t->bugs.len; i++)
        tsl_bug_free(t->bugs.data[i]);
    tsl_vec_drop(&t->bugs);
    tsl_races_drop(&t->races);
    tsl_paths_drop(&t->paths);
    tsl_samplers_drop(&t->samplers);
    tsl_buf_drop(&t->story);
    tsl_buf_drop(&t->verdict);
    tsl_session_close(&t->session);
    tsl_vec_drop(&s->words);
    tsl_vec_drop(&s->args);
    tsl_outside_options_drop(&s->outside);
}

int tsl_cli_test(int argc, char **argv) {
    tsl_test_options s;
    tsl_err err = {0};
    testing t = {.set = &s, .is_terminal = isatty(STDERR_FILENO)};
    if (!tsl_test_options_parse(&s, argc, argv, &err))
        return tsl_cli_error(&err);
    if (s.help)
        return TSL_EXIT_CLEAN;
    tsl_deadline_heed_signals();
    char *compiled = NULL;
    const char *program = s.words.data[0];
    if (tsl_compile_is_source(program)) {
        if (!tsl_compile(program, s.cflags, s.out, &compiled, &err))
            return tsl_cli_error(&err);
        program = compiled;
    }
    tsl_deadline_begin(s.seconds);
    int code = test_program(&t, program, &err);
    drop(&t, &s);
    tsl_free(compiled);
    return code;
}
