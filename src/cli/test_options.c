// The options of `teasel test`: one table, and what must hold between them.
#include "cli/test_options.h"

#include <stdio.h>

#include "base/file.h"
#include "cli/cli.h"
#include "exec/crew.h"
#include "explore/strategy.h"

#define DEFAULT_SECONDS 10.0

enum { MAX_STRATEGIES = 32 };

// Filled from the table of strategies, so that --help and --strategy follow it.
static const char *strategy_names[MAX_STRATEGIES + 1];

static void name_strategies(void) {
    for (size_t i = 0; i < MAX_STRATEGIES && tsl_strategies[i]; i++)
        strategy_names[i] = tsl_strategies[i]->name;
}

static const char *const order_names[] = {"fixed", "random", NULL};
static const char *const preempt_names[] = {"points", "all", NULL};
static const char *const path_order_names[] = {"breadth", "random", "coverage", NULL};

static void print_strategies(void) {
    printf("\nStrategies (the first is used if none is named)\n");
    for (size_t i = 0; tsl_strategies[i]; i++)
        printf("  %-16s %s\n", tsl_strategies[i]->name, tsl_strategies[i]->help);
}

static unsigned index_of(const tsl_strategy_kind *kind) {
    unsigned i = 0;
    while (tsl_strategies[i] != kind)
        i++;
    return i;
}

static void print_help(const tsl_opt *opts) {
    tsl_cli_help(opts,
                 "usage: teasel test [options] PROGRAM|FILE.c [-- ARGS...]\n\n"
                 "Runs the program under many thread schedules and reports what breaks.\n\n",
                 "");
    print_strategies();
    printf("\nExit status: 0 nothing found, 1 a bug, 2 the tool could not work, 3 nothing was "
           "really\ntested (every run was cut short) or less was reached than --require asks "
           "for.\n");
}

// Bounds and --verify-traces are about optimal, so that is the default with them.
static bool check_strategy(tsl_test_options *s, tsl_err *err) {
    if (s->strategy == 0 && (tsl_test_is_bounded(s) || s->verify_traces))
        s->strategy = index_of(&tsl_strategy_optimal);
    const tsl_strategy_kind *kind = tsl_strategies[s->strategy];
    if (tsl_test_is_bounded(s) && kind != &tsl_strategy_optimal && kind != &tsl_strategy_dfs)
        return tsl_fail(err, TSL_EUSAGE,
                        "--bound-preemptions and --iterate work with optimal and "
                        "dfs; leave them out or say --strategy optimal");
    return true;
}

// Files that can't be written should be told before the search and not after it.
static bool check_files(const tsl_test_options *s, tsl_err *err) {
    return (!s->json || tsl_file_can_write(s->json, err)) &&
           (!s->coverage || tsl_file_can_write(s->coverage, err)) &&
           (!s->solver_log || tsl_file_make_folder(s->solver_log, err));
}

static bool check_seconds(tsl_test_options *s, tsl_err *err) {
    if (s->seconds == 0)
        return tsl_fail(err, TSL_EUSAGE, "--seconds must be more than 0");
    if (s->seconds < 0)
        s->seconds = s->runs ? 0 : DEFAULT_SECONDS;
    return true;
}

static bool check(tsl_test_options *s, tsl_err *err) {
    if (!check_seconds(s, err))
        return false;
    if (s->words.len == 0)
        return tsl_fail(err, TSL_EUSAGE,
                        "no program given; say `teasel test PROGRAM` or "
                        "`teasel test FILE.c`");
    if (s->words.len > 1)
        return tsl_fail(err, TSL_EUSAGE,
                        "more than one program given (%s and %s); arguments for "
                        "the program go behind --",
                        s->words.data[0], s->words.data[1]);
    if (!check_strategy(s, err))
        return false;
    if (s->require && !tsl_requirement_parse(s->require, &s->required))
        return tsl_fail(err, TSL_EUSAGE,
                        "--require %s: say `complete`, or `sampled:N` with a number of runs",
                        s->require);
    if (s->run_seconds <= 0)
        return tsl_fail(err, TSL_EUSAGE, "--run-seconds must be more than 0");
    return tsl_outside_options_check(&s->outside, &s->args, err) && check_files(s, err);
}

bool tsl_test_options_parse(tsl_test_options *s, int argc, char **argv, tsl_err *err) {
    name_strategies();
    *s = (tsl_test_options){.preemptions = TSL_ANY_PREEMPTIONS,
                            .seed = 1,
                            .steps = 1000000,
                            .seconds = -1, // not given
                            .run_seconds = 10,
                            .depth = UINT32_MAX,
                            .bug_depth = 3,
                            .workers = 1,
                            .solver_seconds = 1,
                            .out = "teasel-out"};
    tsl_opt opts[] = {
        TSL_OPT_GROUP("Search"),
        TSL_OPT_EXPLAINED_CHOICE("strategy", 0, "NAME", &s->strategy, strategy_names,
                                 "how to search: one of the strategies below"),
        TSL_OPT_CHOICE("order", 0, "ORDER", &s->order, order_names, "what a search explores first"),
        TSL_OPT_RANGE("bound-preemptions", 0, "N", &s->preemptions, 0, 1000,
                      "only schedules with at most N preemptions (optimal, dfs)"),
        TSL_OPT_FLAG("iterate", 0, &s->iterate,
                     "all schedules with 0 preemptions, then with 1, and so on"),
        TSL_OPT_CHOICE("preempt", 0, "WHERE", &s->preempt, preempt_names,
                       "where samplers may switch: at synchronisation, atomics and what was seen "
                       "racing, or at "
                       "every shared access"),
        TSL_OPT_RANGE("bug-depth", 0, "N", &s->bug_depth, 1, TSL_MAX_BUG_DEPTH,
                      "of --strategy pct: one more than the points where priorities change (3)"),
        TSL_OPT_FLAG("verify-traces", 0, &s->verify_traces,
                     "check that optimal runs no partial order twice"),
        TSL_OPT_RANGE("runs", 'n', "N", &s->runs, 1, UINT64_MAX, "stop after N runs"),
        TSL_OPT_SECONDS("seconds", 't', "S", &s->seconds,
                        "stop after S seconds (10 if --runs is not given)"),
        TSL_OPT_RANGE("jobs", 'j', "N", &s->workers, 1, TSL_MAX_WORKERS,
                      "run N processes of the program at once (1); what is found stays the same"),
        TSL_OPT_U64("seed", 0, "N", &s->seed, "seed of every random choice (1)"),
        TSL_OPT_RANGE("steps", 0, "N", &s->steps, 1, TSL_MAX_STEPS,
                      "end a run after N steps (1000000)"),
        TSL_OPT_SECONDS("run-seconds", 0, "S", &s->run_seconds,
                        "end a run after S seconds of real time (10)"),
        TSL_OPT_FLAG("keep-going", 'k', &s->keep_going, "go on after the first failing run"),
        TSL_OPT_FLAG("spurious", 0, &s->spurious,
                     "condition waits may wake up, weak compare-and-swaps fail, for no reason"),
        TSL_OPT_STRING(
            "require", 0, "WHAT", &s->require,
            "exit with 3 unless the verdict is `complete`, or, with sampled:N, at least N "
            "runs ended by themselves"),
        TSL_OPT_FLAG("fork", 0, &s->fork, "one process per run instead of restarting in place"),
        TSL_OPT_GROUP("Inputs"),
        TSL_OUTSIDE_OPTIONS(&s->outside),
        TSL_OPT_CHOICE("paths", 0, "ORDER", &s->path_order, path_order_names,
                       "of --strategy paths, which branch to turn next"),
        TSL_OPT_RANGE("depth", 0, "N", &s->depth, 0, UINT32_MAX,
                      "turn only the first N branches of a run that depend on inputs"),
        TSL_OPT_SECONDS("solver-seconds", 0, "S", &s->solver_seconds,
                        "time for one question to the solver (1)"),
        TSL_OPT_STRING("solver-log", 0, "DIR", &s->solver_log,
                       "write every question as SMT-LIB into this folder"),
        TSL_OPT_FLAG("solver-check", 0, &s->solver_check, "check every answer of the solver twice"),
        TSL_OPT_GROUP("What counts as a bug"),
        TSL_OPT_FLAG("overflow", 0, &s->overflow,
                     "signed overflow of numbers that depend on inputs"),
        TSL_OPT_FLAG("leaks", 0, &s->leaks, "heap blocks nobody can reach at the end"),
        TSL_OPT_FLAG("fail-on-exit", 0, &s->fail_on_exit, "a non-zero exit status"),
        TSL_OPT_GROUP("The program"),
        TSL_OPT_STRING("cflags", 0, "STR", &s->cflags, "words for teasel-cc when given a .c file"),
        TSL_OPT_STRING("via", 0, "CMD", &s->via, "words put before the program, like qemu-aarch64"),
        TSL_OPT_GROUP("Output"),
        TSL_OPT_STRING("out", 'o', "DIR", &s->out, "where replays and paths go (teasel-out)"),
        TSL_OPT_OUTPUT("json", 0, &s->json, "write the result for scripts"),
        TSL_OPT_OUTPUT("coverage", 0, &s->coverage, "write what was covered, for lcov"),
        TSL_OPT_FLAG("quiet", 'q', &s->quiet, "only bugs and the last line"),
        TSL_OPT_FLAG("help", 'h', &s->help, "this text"),
        TSL_OPT_END,
    };
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &s->words, &s->args, err))
        return false;
    if (!s->help)
        return check(s, err);
    print_help(opts);
    return true;
}
