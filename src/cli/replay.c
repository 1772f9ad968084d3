// teasel replay: runs a recorded bug again.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/compile.h"
#include "cli/races.h"
#include "exec/elf.h"
#include "report/json.h"
#include "trace/replay.h"

typedef struct settings {
    bool gdb, help;
    double run_seconds;
    const char *json;
    tsl_words words;
} settings;

static bool parse(settings *s, int argc, char **argv, tsl_err *err) {
    *s = (settings){.run_seconds = 10};
    tsl_opt opts[] = {
        TSL_OPT_FLAG("gdb", 'g', &s->gdb, "run it under gdb, stopped at the bug"),
        TSL_OPT_OUTPUT("json", 0, &s->json, "write the result for scripts"),
        TSL_OPT_SECONDS("run-seconds", 0, "S", &s->run_seconds,
                        "end the run after S seconds of real time (10)"),
        TSL_OPT_FLAG("help", 'h', &s->help, "this text"),
        TSL_OPT_END,
    };
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &s->words, NULL, err))
        return false;
    if (s->help) {
        tsl_cli_help(opts,
                     "usage: teasel replay [options] FILE\n\n"
                     "Runs a recorded bug again: the same program, arguments and schedule.\n\n",
                     "\n"
                     "Exit status: 1 the bug showed again, 0 it did not, 2 usage or tool error,\n"
                     "3 the schedule could not be followed (the program has changed).\n");
        return true;
    }
    if (s->words.len != 1)
        return tsl_fail(err, TSL_EUSAGE, "give one replay file, as printed by teasel test");
    return true;
}

static void warn_if_rebuilt(const tsl_replay *replay, const char *build) {
    if (replay->build && strcmp(replay->build, build) != 0)
        fprintf(stderr,
                "teasel: %s was built again since this was recorded; the schedule may not "
                "fit any more\n",
                replay->program);
}

// gdb starts the program itself, and the runtime follows the file that TEASEL_REPLAY names.  The
// arguments come from that file, too, because gdb would not pass them on unchanged.
static int run_gdb(const tsl_replay *replay, const char *path, tsl_err *err) {
    char full[PATH_MAX];
    if (!realpath(path, full)) {
        tsl_fail(err, TSL_EIO, "%s: %s", path, strerror(errno));
        return tsl_cli_error(err);
    }
    TSL_VEC(char *) argv = {0};
    char *script = tsl_compile_support("teasel-gdb.py");
    char *environment = tsl_asprintf("set environment TEASEL_REPLAY %s", full);
    char *const fixed[] = {"gdb",    "-q",
                           "-ex",    "set breakpoint pending on",
                           "-ex",    environment,
                           "-ex",    "set startup-with-shell off",
                           "-ex",    "handle SIGXCPU nostop",
                           "-x",     script,
                           "-ex",    "run",
                           "--args", replay->program};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        tsl_vec_push(&argv, fixed[i]);
    tsl_vec_push(&argv, NULL);
    execvp("gdb", argv.data);
    tsl_fail(err, TSL_EIO,
             "can't start gdb: %s; install it, or run the program yourself with "
             "TEASEL_REPLAY=%s in its environment",
             strerror(errno), full);
    return tsl_cli_error(err);
}

static bool is_race(const tsl_replay *replay) {
    return replay->kind && strcmp(replay->kind, "race") == 0;
}

static int judge_race(const tsl_replay *replay, const tsl_bug *bug, bool same) {
    if (!bug) {
        puts("the race did not show: the last step races with none before it");
        return TSL_EXIT_CLEAN;
    }
    printf("replayed: the two accesses, %s%s\n",
           bug->by_weak_atomics ? "which only weak atomics keep apart"
                                : "one right behind the other",
           !replay->has_trace ? ""
           : same             ? "; the same trace, step for step"
                              : ", but not the same trace as recorded");
    return TSL_EXIT_BUGS;
}

static int judge(const tsl_replay *replay, const tsl_run *run, const tsl_bug *bug, bool same) {
    if (run->outcome == TSL_OUT_DIVERGED) {
        printf("the schedule could not be followed: %s\n", run->head->message);
        return TSL_EXIT_UNTESTED;
    }
    if (is_race(replay))
        return judge_race(replay, bug, same);
    if (!tsl_outcome_is_bug(run->outcome)) {
        printf("the bug did not show: %s\n", tsl_outcome_headline(run->outcome));
        return TSL_EXIT_CLEAN;
    }
    if (replay->has_trace)
        puts(same ? "replayed: the same trace, step for step"
                  : "replayed: a bug, but not the same trace as recorded");
    return TSL_EXIT_BUGS;
}

static bool run_plan(const tsl_replay *replay, const tsl_session *session, tsl_run *run,
                     tsl_bug **bug, tsl_err *err) {
    if (is_race(replay))
        return tsl_races_replay(session, &replay->plan, replay->file, replay->line, run, bug, err);
    if (!tsl_runner_run(&session->runner, &replay->plan, run, err))
        return false;
    if (tsl_outcome_is_bug(run->outcome))
        *bug = tsl_bug_new(run, &replay->plan, &session->sites, session->symbols);
    return true;
}

// ---------------------------------------------------------------- all of it

// A program that hung will hang again, so it is given a second only.
static bool start(const settings *s, tsl_replay *replay, tsl_session *session, tsl_err *err) {
    bool is_hang = replay->kind && strcmp(replay->kind, tsl_outcome_kind(TSL_OUT_HANG)) == 0;
    tsl_vec_push(&replay->args, NULL);
    tsl_exec_options options = {.program = replay->program,
                                .args = (const char *const *)replay->args.data,
                                .stdin_path = replay->stdin_path,
                                .outside = &replay->outside,
                                .via = replay->via,
                                .max_steps = replay->plan.max_steps,
                                .run_seconds = is_hang && s->run_seconds > 1 ? 1 : s->run_seconds,
                                .mode = TSL_MODE_FORK};
    replay->args.len--;
    if (!tsl_session_open(session, &options, 1, err))
        return false;
    warn_if_rebuilt(replay, session->build);
    return true;
}

static bool write_json(const char *path, const tsl_replay *replay, const tsl_session *session,
                       const char *verdict, const tsl_bugs *bugs, bool same, tsl_err *err) {
    tsl_counts counts = {.executions = 1};
    tsl_summary summary = {.counts = &counts,
                           .verdict = verdict,
                           .strategy = "replay",
                           .program = replay->program,
                           .seed = replay->plan.seed,
                           .mode = TSL_MODE_FORK,
                           .bugs = bugs,
                           .census = tsl_crew_census(session->crew),
                           .sites = &session->sites,
                           .symbols = session->symbols,
                           .coverage = session->coverage,
                           .same = replay->has_trace ? same ? TSL_SAME_YES : TSL_SAME_NO
                                                     : TSL_SAME_NOT_ASKED};
    return tsl_json_write(path, &summary, err);
}

static int run_replay(const settings *s, tsl_replay *replay, tsl_session *session, tsl_err *err) {
    tsl_run run = {0};
    tsl_bugs bugs = {0};
    tsl_bug *bug = NULL;
    if (!start(s, replay, session, err) || !run_plan(replay, session, &run, &bug, err))
        return tsl_cli_error(err);
    tsl_session_cover(session, &run);
    bool same = replay->has_trace && tsl_trace_hash(&run.trace) == replay->trace_hash;
    if (bug) {
        bug->replay = tsl_strdup(s->words.data[0]);
        tsl_vec_push(&bugs, bug);
        tsl_session_print_bug(session, bug);
    }
    int code = judge(replay, &run, bug, same);
    const char *verdict = bug ? bug->kind : tsl_outcome_kind(run.outcome);
    if (s->json && !write_json(s->json, replay, session, verdict, &bugs, same, err))
        code = tsl_cli_error(err);
    tsl_bug_free(bug);
    tsl_vec_drop(&bugs);
    tsl_run_drop(&run);
    return code;
}

int tsl_cli_replay(int argc, char **argv) {
    settings s;
    tsl_err err = {0};
    tsl_replay replay;
    tsl_session session = {0};
    if (!parse(&s, argc, argv, &err))
        return tsl_cli_error(&err);
    if (s.help)
        return TSL_EXIT_CLEAN;
    tsl_replay_init(&replay);
    int code;
    char build[129];
    if (!tsl_replay_read(s.words.data[0], &replay, &err))
        code = tsl_cli_error(&err);
    else if (s.gdb)
        code = tsl_elf_check(replay.program, build, &err) ? run_gdb(&replay, s.words.data[0], &err)
                                                          : tsl_cli_error(&err);
    else
        code = run_replay(&s, &replay, &session, &err);
    tsl_session_close(&session);
    tsl_replay_drop(&replay);
    tsl_vec_drop(&s.words);
    return code;
}
