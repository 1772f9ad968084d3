// teasel selfcheck: the same Plan gives the same Trace, restarted, forked or replayed.
#include <stdio.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/opt.h"
#include "cli/cli.h"
#include "cli/compile.h"
#include "cli/outside.h"
#include "cli/session.h"
#include "trace/print.h"

typedef struct settings {
    uint64_t plans, seed, steps;
    bool help, spurious, leaks;
    const char *cflags, *out, *via, *dump;
    tsl_outside_options outside;
    tsl_words words, args;
} settings;

static bool parse(settings *s, int argc, char **argv, tsl_err *err) {
    *s = (settings){.plans = 200, .seed = 1, .steps = 100000, .out = "teasel-out"};
    tsl_opt opts[] = {
        TSL_OPT_RANGE("plans", 0, "N", &s->plans, 1, 1000000, "random Plans to compare (200)"),
        TSL_OPT_U64("seed", 0, "N", &s->seed, "seed of the Plans (1)"),
        TSL_OPT_RANGE("steps", 0, "N", &s->steps, 1, TSL_MAX_STEPS,
                      "end a run after N steps (100000)"),
        TSL_OPT_FLAG("spurious", 0, &s->spurious,
                     "condition waits may wake up, weak compare-and-swaps fail, for no reason"),
        TSL_OPT_FLAG("leaks", 0, &s->leaks, "look for leaks in every run"),
        TSL_OUTSIDE_OPTIONS(&s->outside),
        TSL_OPT_STRING("cflags", 0, "STR", &s->cflags, "words for teasel-cc when given a .c file"),
        TSL_OPT_STRING("out", 'o', "DIR", &s->out, "where a compiled .c file goes (teasel-out)"),
        TSL_OPT_STRING("via", 0, "CMD", &s->via, "words put before the program"),
        TSL_OPT_OUTPUT("dump", 0, &s->dump,
                       "write the Trace of the Plan of --seed as text, and FILE.replayed"),
        TSL_OPT_FLAG("help", 'h', &s->help, "this text"),
        TSL_OPT_END,
    };
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &s->words, &s->args, err))
        return false;
    if (s->help) {
        tsl_buf text = {0};
        tsl_opt_help(opts, &text);
        printf("usage: teasel selfcheck [options] PROGRAM|FILE.c [-- ARGS...]\n\n"
               "Runs random Plans twice restarted in place, once in a fresh process each and once\n"
               "following the recorded schedule, and compares the Traces.  Exit status: 0 all "
               "equal, 1 some differ, 2 error.\n\n%s",
               tsl_buf_text(&text));
        tsl_buf_drop(&text);
        return true;
    }
    if (s->words.len != 1)
        return tsl_fail(err, TSL_EUSAGE, "give one program or one .c file");
    if (s->dump && !tsl_file_can_write(s->dump, err))
        return false;
    return tsl_outside_options_check(&s->outside, &s->args, err);
}

typedef TSL_VEC(uint64_t) hashes;

enum pass { AS_ASKED, AS_RECORDED };

// Plans that are under way together: what waits for a Plan alone waits longer than it runs.
enum { BATCH = 16 };

typedef struct batch {
    tsl_plan plans[BATCH];
    unsigned n;
} batch;

static bool dump(const settings *s, enum pass how, const tsl_trace *trace, tsl_err *err) {
    tsl_buf text = {0};
    tsl_print_trace(trace, &text);
    bool apart = how == AS_RECORDED && !tsl_file_is_stream(s->dump);
    char *path = tsl_asprintf("%s%s", s->dump, apart ? ".replayed" : "");
    bool ok = tsl_file_write_atomic(path, tsl_buf_text(&text), text.len, err);
    tsl_free(path);
    tsl_buf_drop(&text);
    return ok;
}

static void ask(const settings *s, uint64_t from, batch *out) {
    for (out->n = 0; out->n < BATCH && from + out->n < s->plans; out->n++) {
        tsl_plan *plan = &out->plans[out->n];
        tsl_plan_clear(plan);
        plan->policy = TSL_POLICY_RANDOM;
        plan->max_steps = s->steps;
        plan->flags = TSL_PLAN_ENABLED | (s->spurious ? TSL_PLAN_SPURIOUS : 0u) |
                      (s->leaks ? TSL_PLAN_LEAKS : 0u);
        plan->seed = plan->input_seed = s->seed + from + out->n;
    }
}

// Runs the Plans of a batch and adds the hashes of their Traces; `exact` gets Plans that follow
// those Traces step by step, or is NULL.
static bool run(tsl_session *session, const settings *s, const batch *plans, enum pass how,
                batch *exact, hashes *out, tsl_err *err) {
    tsl_trace trace;
    for (unsigned i = 0; i < plans->n; i++)
        if (!tsl_crew_submit(session->crew, &plans->plans[i], err))
            return false;
    for (unsigned i = 0; i < plans->n; i++) {
        if (!tsl_crew_collect(session->crew, &trace, err))
            return false;
        tsl_vec_push(out, tsl_trace_hash(&trace));
        if (exact)
            tsl_trace_to_plan(&trace, &plans->plans[i], &exact->plans[i]);
        bool shown = s->dump && (exact || how == AS_RECORDED) && plans->plans[i].seed == s->seed;
        if (shown && !dump(s, how, &trace, err))
            return false;
    }
    if (exact)
        exact->n = plans->n;
    return true;
}

static bool pass(tsl_session *session, const settings *s, enum tsl_mode mode, hashes *asked,
                 hashes *recorded, tsl_err *err) {
    batch plans, exact;
    bool ok = true;
    for (unsigned i = 0; i < BATCH; i++) {
        tsl_plan_init(&plans.plans[i]);
        tsl_plan_init(&exact.plans[i]);
    }
    tsl_crew_set_mode(session->crew, mode);
    for (uint64_t at = 0; ok && at < s->plans; at += BATCH) {
        ask(s, at, &plans);
        ok = run(session, s, &plans, AS_ASKED, recorded ? &exact : NULL, asked, err) &&
             (!recorded || run(session, s, &exact, AS_RECORDED, NULL, recorded, err));
    }
    for (unsigned i = 0; i < BATCH; i++) {
        tsl_plan_drop(&plans.plans[i]);
        tsl_plan_drop(&exact.plans[i]);
    }
    return ok;
}

static uint64_t differing(const hashes *a, const hashes *b, uint64_t *first) {
    uint64_t n = 0;
    for (size_t i = 0; i < a->len; i++)
        if (a->data[i] != b->data[i] && n++ == 0)
            *first = i;
    return n;
}

static int check(tsl_session *session, const settings *s, tsl_err *err) {
    hashes h[4] = {0};
    bool ok = pass(session, s, TSL_MODE_INPLACE, &h[0], NULL, err) &&
              pass(session, s, TSL_MODE_INPLACE, &h[1], &h[3], err) &&
              pass(session, s, TSL_MODE_FORK, &h[2], NULL, err);
    int code = TSL_EXIT_ERROR;
    if (ok) {
        uint64_t first = 0;
        uint64_t twice = differing(&h[0], &h[1], &first);
        uint64_t forked = differing(&h[1], &h[2], &first);
        uint64_t recorded = differing(&h[1], &h[3], &first);
        code = twice || forked || recorded ? TSL_EXIT_BUGS : TSL_EXIT_CLEAN;
        printf("%lu plans: %lu differ when restarted, %lu when forked, %lu when replayed\n",
               (unsigned long)s->plans, (unsigned long)twice, (unsigned long)forked,
               (unsigned long)recorded);
        if (code)
            printf("first: seed %lu\n", (unsigned long)(s->seed + first));
    }
    for (unsigned i = 0; i < 4; i++)
        tsl_vec_drop(&h[i]);
    return ok ? code : tsl_cli_error(err);
}

int tsl_cli_selfcheck(int argc, char **argv) {
    settings s;
    tsl_err err = {0};
    tsl_session session = {0};
    if (!parse(&s, argc, argv, &err))
        return tsl_cli_error(&err);
    if (s.help)
        return TSL_EXIT_CLEAN;
    char *compiled = NULL;
    const char *program = s.words.data[0];
    if (tsl_compile_is_source(program)) {
        if (!tsl_compile(program, s.cflags, s.out, &compiled, &err))
            return tsl_cli_error(&err);
        program = compiled;
    }
    tsl_vec_push(&s.args, NULL);
    tsl_exec_options options = {.program = program,
                                .args = s.args.data,
                                .stdin_path = s.outside.stdin_path,
                                .outside = &s.outside.outside,
                                .via = s.via,
                                .max_steps = s.steps,
                                .run_seconds = 10,
                                .mode = TSL_MODE_INPLACE};
    int code = tsl_session_open(&session, &options, 1, &err) ? check(&session, &s, &err)
                                                             : tsl_cli_error(&err);
    tsl_session_close(&session);
    tsl_vec_drop(&s.words);
    tsl_vec_drop(&s.args);
    tsl_outside_options_drop(&s.outside);
    tsl_free(compiled);
    return code;
}
