// teasel test: compiles the program if need be, searches, reports.
#include <unistd.h>

#include "base/deadline.h"
#include "cli/cli.h"
#include "cli/compile.h"
#include "cli/test.h"

static tsl_search search_of(const tsl_test_options *s, tsl_err *log_error) {
    return (tsl_search){
        .seed = s->seed,
        .random_order = s->order == 1,
        .preemptions = tsl_test_is_bounded(s) ? (int64_t)s->preemptions : -1,
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
                   .log_err = log_error,
                   .check = s->solver_check,
                   .seed = s->seed}};
}

static const tsl_strategy_kind *kind_of(const tsl_test_options *s) {
    const tsl_strategy_kind *kind = tsl_strategies[s->strategy];
    return tsl_test_is_bounded(s) && kind == &tsl_strategy_optimal ? &tsl_bounded_optimal : kind;
}

// Prepares what the search needs before there is a process.
static void prepare(tsl_test *t) {
    t->search = search_of(t->set, &t->log_error);
    tsl_suspects_init(&t->suspects, &t->search, &t->campaign);
    t->search.races = &t->suspects.sink;
    t->kind = kind_of(t->set);
    t->campaign.counts = &t->counts;
    t->status = (tsl_status){.is_quiet = t->set->quiet, .is_terminal = isatty(STDERR_FILENO)};
}

static bool start(tsl_test *t, const char *program, tsl_err *err) {
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
    if (!tsl_session_open(&t->session, &options, (unsigned)s->workers, err))
        return false;
    if (s->seconds > 0)
        tsl_session_be_impatient(&t->session, s->seconds);
    return tsl_session_check(&t->session, s->steps, t->search.flags, err);
}

// What was found is reported even if something goes wrong after the search.
static int test_program(tsl_test *t, const char *program, tsl_err *err) {
    prepare(t);
    if (!start(t, program, err))
        return tsl_cli_error(err);
    tsl_test_print_census(t);
    if (!tsl_test_explore(t, err))
        return tsl_cli_error(err);
    tsl_status_clear(&t->status);
    bool finished = tsl_test_finish_bugs(t, err);
    int code = tsl_test_report(t);
    return finished ? code : tsl_cli_error(err);
}

static void drop(tsl_test *t, tsl_test_options *s) {
    for (size_t i = 0; i < t->bugs.len; i++)
        tsl_bug_free(t->bugs.data[i]);
    tsl_vec_drop(&t->bugs);
    tsl_test_free_strategy(t);
    tsl_suspects_drop(&t->suspects);
    tsl_paths_drop(&t->paths);
    tsl_session_close(&t->session);
    tsl_vec_drop(&s->words);
    tsl_vec_drop(&s->args);
    tsl_outside_options_drop(&s->outside);
}

int tsl_cli_test(int argc, char **argv) {
    tsl_test_options s;
    tsl_err err = {0};
    tsl_test t = {.set = &s};
    if (!tsl_test_options_parse(&s, argc, argv, &err))
        return tsl_cli_error(&err);
    if (s.help)
        return TSL_EXIT_CLEAN;
    tsl_deadline_heed_signals();
    char *program = tsl_compile(s.words.data[0], s.cflags, s.out, &err);
    if (!program)
        return tsl_cli_error(&err);
    tsl_deadline_begin(s.seconds);
    int code = test_program(&t, program, &err);
    drop(&t, &s);
    tsl_free(program);
    return code;
}
