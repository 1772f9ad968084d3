// The files that `teasel test` leaves: replays, paths, what teasel report reads, and those that options
// name.
#include <stdio.h>

#include "base/deadline.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/kept.h"
#include "cli/test.h"
#include "explore/tally.h"
#include "report/json.h"
#include "trace/replay.h"

#define SAVE_SECONDS 0.2 // after reports are written, for what teasel export needs

static char *copy_or_null(const char *text) { return text ? tsl_strdup(text) : NULL; }

// ---------------------------------------------------------------- replays

static void fill_replay(tsl_replay *r, const tsl_test *t, const tsl_bug *bug) {
    const tsl_test_options *set = t->set;
    r->program = tsl_strdup(t->session.program);
    for (size_t i = 0; i < set->args.len; i++)
        tsl_vec_push(&r->args, tsl_strdup(set->args.data[i]));
    r->stdin_path = copy_or_null(set->outside.stdin_path);
    tsl_outsides_copy(&r->outside, &set->outside.outside);
    r->via = copy_or_null(set->via);
    r->build = t->session.build[0] ? tsl_strdup(t->session.build) : NULL;
    r->kind = tsl_strdup(bug->kind);
    r->message = tsl_strdup(bug->message);
    r->file = copy_or_null(bug->file);
    r->line = bug->line;
    tsl_plan_copy(&r->plan, &bug->plan);
    r->has_trace = true;
    r->trace_hash = bug->trace_hash;
}

static void print_replay(const tsl_replay *replay) {
    tsl_buf text = {0};
    tsl_replay_format(replay, &text);
    printf("the replay could not be saved; it is:\n%s", tsl_buf_text(&text));
    tsl_buf_drop(&text);
}

// A replay that can't be written in the end is printed, so that it is not lost.
void tsl_test_save_replay(tsl_test *t, tsl_bug *bug, size_t number, bool at_once) {
    tsl_replay replay;
    tsl_err err = {0};
    tsl_replay_init(&replay);
    fill_replay(&replay, t, bug);
    char *path =
        tsl_asprintf("%s/%s-%zu.replay", t->set->out, tsl_file_base(t->session.program), number);
    tsl_free(bug->replay);
    bug->replay = NULL;
    if (tsl_file_make_folder(t->set->out, &err) && tsl_replay_write(path, &replay, &err))
        bug->replay = tsl_strdup(path);
    else if (!at_once) {
        print_replay(&replay);
        tsl_fail(&t->write_error, err.code, "%s", err.text);
    }
    tsl_free(path);
    tsl_replay_drop(&replay);
}

// ---------------------------------------------------------------- paths

static void fill_paths(tsl_paths *p, const tsl_test *t) {
    p->program = tsl_strdup(t->session.program);
    for (size_t i = 0; i < t->set->args.len; i++)
        tsl_vec_push(&p->args, tsl_strdup(t->set->args.data[i]));
    p->stdin_path = copy_or_null(t->set->outside.stdin_path);
}

// The user did not ask for this file, so it is no failure if the file can't be written.
void tsl_test_save_paths(tsl_test *t) {
    tsl_paths *p = &t->paths;
    tsl_err err = {0};
    if (!(t->counts.flags & TSL_TRACE_INPUTS))
        return;
    tsl_deadline_extend(SAVE_SECONDS);
    fill_paths(p, t);
    char *path = tsl_asprintf("%s/%s.paths", t->set->out, tsl_file_base(t->session.program));
    if (!tsl_file_make_folder(t->set->out, &err) || !tsl_paths_write(path, p, &err))
        fprintf(stderr, "teasel: nothing is kept for teasel export: %s\n", err.text);
    else if (!t->set->quiet && p->left_out)
        printf("  the first %zu paths are kept in %s; there was no room or time for %lu more\n",
               p->list.len, path, (unsigned long)p->left_out);
    else if (!t->set->quiet)
        printf("  their inputs are kept in %s: see teasel export\n", path);
    tsl_free(path);
}

// ---------------------------------------------------------------- for teasel report

static void add_point(tsl_sampled *s, const tsl_tally_point *p) {
    tsl_vec_push(&s->curve, ((tsl_sampled_point){p->runs, p->orders, p->successions, p->reads}));
}

static void add_sampler(tsl_samplers *s, const char *name, const tsl_tally *tally) {
    tsl_sampled one = {.sampler = tsl_strdup(name), .left_out = tally->left_out};
    tsl_sampled_count(&one, tally->times.data, tally->times.len);
    for (size_t i = 0; i < tally->curve.len; i++)
        add_point(&one, &tally->curve.data[i]);
    if (tsl_vec_last(&one.curve).runs < tally->now.runs)
        add_point(&one, &tally->now);
    tsl_vec_push(&s->list, one);
}

static void add_samplers(tsl_samplers *s, const tsl_tallies *tallies) {
    for (uint32_t policy = TSL_FIRST_SAMPLER; tallies && policy < TSL_POLICY_COUNT; policy++)
        if (tallies->of[policy].runs)
            add_sampler(s, tsl_policy_name(policy), &tallies->of[policy]);
}

static bool keep_coverage(const tsl_test *t, tsl_lcov *lcov, tsl_err *err) {
    tsl_buf text = {0};
    tsl_lcov_keep(lcov, &text);
    return tsl_kept_write(t->set->out, t->session.program, TSL_KEPT_COVERAGE, &text, err);
}

static bool keep_sampling(const tsl_test *t, tsl_err *err) {
    tsl_buf text = {0};
    tsl_samplers samplers = {0};
    add_samplers(&samplers, t->campaign.strategy->tallies);
    tsl_samplers_keep(&samplers, &text);
    tsl_samplers_drop(&samplers);
    return tsl_kept_write(t->set->out, t->session.program, TSL_KEPT_SAMPLING, &text, err);
}

// Maybe nobody will ask for a report, so it is no failure if the folder can't be written.
static void keep_for_report(const tsl_test *t, tsl_lcov *lcov) {
    tsl_err err = {0};
    bool covered = keep_coverage(t, lcov, &err), sampled = keep_sampling(t, &err);
    if (!(covered && sampled) && t->write_error.code == TSL_EOK) // else that error says it
        fprintf(stderr, "teasel: %s is kept for teasel report: %s\n",
                covered || sampled ? "not everything" : "nothing", err.text);
}

// ---------------------------------------------------------------- files that options name

static bool write_coverage(const tsl_test *t, tsl_err *err) {
    tsl_lcov lcov = {0};
    tsl_lcov_add(&lcov, t->session.coverage);
    keep_for_report(t, &lcov);
    bool ok = !t->set->coverage || tsl_lcov_write(t->set->coverage, &lcov, err);
    tsl_lcov_drop(&lcov);
    return ok;
}

// If one file can't be written the others still are.
int tsl_test_write_files(tsl_test *t, const tsl_summary *summary, int code) {
    tsl_err err = {0};
    if (t->set->json && !tsl_json_write(t->set->json, summary, &err)) {
        code = tsl_cli_error(&err);
        tsl_err_clear(&err);
    }
    if (!write_coverage(t, &err))
        code = tsl_cli_error(&err);
    if (t->log_error.code != TSL_EOK)
        fprintf(stderr, "teasel: the solver's log has gaps: %s\n", t->log_error.text);
    if (t->write_error.code != TSL_EOK)
        return tsl_cli_error(&t->write_error);
    return code;
}
