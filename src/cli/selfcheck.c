// teasel selfcheck: does the same Plan give the same Trace, restarted, forked or replayed?
#include <stdio.h>

#include "base/deadline.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cli/compile.h"
#include "cli/outside.h"
#include "cli/session.h"
#include "trace/print.h"

enum { DEFAULT_PLANS = 200 };
#define DEFAULT_SECONDS 10.0

typedef struct settings {
    uint64_t plans, seed, steps;
    double seconds; // 0 means unlimited
    bool help, spurious, leaks;
    const char *cflags, *out, *via, *dump;
    tsl_outside_options outside;
    tsl_words words, args;
} settings;

static bool parse(settings *s, int argc, char **argv, tsl_err *err) {
    *s = (settings){.seed = 1, .seconds = -1, .steps = 100000, .out = "teasel-out"};
    tsl_opt opts[] = {
        TSL_OPT_RANGE("plans", 0, "N", &s->plans, 1, 1000000, "random Plans to compare (200)"),
        TSL_OPT_SECONDS("seconds", 't', "S", &s->seconds,
                        "stop after S seconds (10 if --plans is not given)"),
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
        tsl_cli_help(
            opts,
            "usage: teasel selfcheck [options] PROGRAM|FILE.c [-- ARGS...]\n\n"
            "Runs random Plans twice restarted in place, once in a fresh process each and once\n"
            "following the recorded schedule, and compares the Traces.  Exit status: 0 all "
            "equal, 1 some differ, 2 error, 3 no Plan could be compared in time.\n\n",
            "");
        return true;
    }
    if (s->words.len != 1)
        return tsl_fail(err, TSL_EUSAGE, "give one program or one .c file");
    if (s->dump && !tsl_file_can_write(s->dump, err))
        return false;
    if (s->seconds == 0)
        return tsl_fail(err, TSL_EUSAGE, "--seconds must be more than 0");
    if (s->seconds < 0)
        s->seconds = s->plans ? 0 : DEFAULT_SECONDS;
    if (!s->plans)
        s->plans = DEFAULT_PLANS;
    return tsl_outside_options_check(&s->outside, &s->args, err);
}

// The ways in which each Plan is run.
enum pass { FIRST, AGAIN, FORKED, RECORDED, PASSES };

// So many Plans are in flight together.  To wait for one Plan alone takes longer than its run.
enum { BATCH = 16 };

typedef struct batch {
    tsl_plan plans[BATCH];
    unsigned n;
} batch;

// How a run ended; printed if two runs of a Plan differ.
typedef struct end {
    uint32_t outcome;
    int32_t status, signal;
    uint64_t events, printed;
} end;

// What the Plans of a batch showed.
typedef struct shown {
    end ends[PASSES][BATCH];
    uint64_t hash[PASSES][BATCH];
    bool cut[BATCH]; // the clock ended a run of this Plan, so its Traces can't be compared
    bool leaks;      // a run may have changed something outside, so each gets a process of its own
} shown;

typedef struct count {
    uint64_t compared, cut, differ[PASSES];
    uint64_t first; // number of the first Plan that differs, if one does
    end one, other; // how two of its runs ended
} count;

static bool dump(const settings *s, enum pass how, const tsl_trace *trace, tsl_err *err) {
    tsl_buf text = {0};
    tsl_print_trace(trace, &text);
    bool apart = how == RECORDED && !tsl_file_is_stream(s->dump);
    char *path = tsl_asprintf("%s%s", s->dump, apart ? ".replayed" : "");
    bool ok = tsl_file_write_text(path, &text, err);
    tsl_free(path);
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

static end end_of(const tsl_trace *trace) {
    const tsl_trace_head *head = trace->head;
    return (end){.outcome = head->outcome,
                 .status = head->exit_status,
                 .signal = head->signal,
                 .events = trace->nevents,
                 .printed = head->output_total};
}

// Runs the Plans of a batch.  `exact`, if not NULL, gets Plans that follow the Traces step by step.
static bool run(tsl_session *session, const settings *s, const batch *plans, enum pass how,
                batch *exact, shown *out, tsl_err *err) {
    tsl_trace trace;
    bool forked = how == FORKED || out->leaks;
    if (tsl_deadline_passed())
        return true;
    tsl_crew_set_mode(session->crew, forked ? TSL_MODE_FORK : TSL_MODE_INPLACE);
    for (unsigned i = 0; i < plans->n; i++)
        if (!tsl_crew_submit(session->crew, &plans->plans[i], err))
            return false;
    for (unsigned i = 0; i < plans->n; i++) {
        if (tsl_deadline_passed()) // the batch is not complete, so it does not count
            return tsl_crew_forget(session->crew, err);
        if (!tsl_crew_collect(session->crew, &trace, err))
            return false;
        out->hash[how][i] = tsl_trace_hash(&trace);
        out->ends[how][i] = end_of(&trace);
        out->cut[i] |= trace.head->outcome == TSL_OUT_TIME_LIMIT;
        out->leaks |= (trace.head->flags & TSL_TRACE_LEAKED) != 0;
        if (exact)
            tsl_trace_to_plan(&trace, &plans->plans[i], &exact->plans[i]);
        bool dumped = s->dump && (how == AGAIN || how == RECORDED);
        if (dumped && plans->plans[i].seed == s->seed && !dump(s, how, &trace, err))
            return false;
    }
    if (exact)
        exact->n = plans->n;
    return true;
}

// Runs in place.  If that turns out to change something outside, the batch is run again with a process
// for each run.
static bool run_first(tsl_session *session, const settings *s, const batch *plans, shown *out,
                      tsl_err *err) {
    bool known = out->leaks;
    if (!run(session, s, plans, FIRST, NULL, out, err))
        return false;
    return known || !out->leaks || run(session, s, plans, FIRST, NULL, out, err);
}

static void compare(const shown *out, const batch *plans, uint64_t from, count *n) {
    for (unsigned i = 0; i < plans->n; i++) {
        n->cut += out->cut[i];
        n->compared += !out->cut[i];
        for (unsigned how = FIRST; how < PASSES && !out->cut[i]; how++)
            if (out->hash[how][i] != out->hash[AGAIN][i]) {
                if (!n->differ[FIRST] && !n->differ[FORKED] && !n->differ[RECORDED]) {
                    n->first = from + i;
                    n->one = out->ends[AGAIN][i];
                    n->other = out->ends[how][i];
                }
                n->differ[how]++;
            }
    }
}

// A batch goes through all passes before the next one begins, so that complete batches count when the
// time is up.
static bool compare_all(tsl_session *session, const settings *s, count *n, tsl_err *err) {
    batch plans, exact;
    bool ok = true, leaks = false;
    for (unsigned i = 0; i < BATCH; i++) {
        tsl_plan_init(&plans.plans[i]);
        tsl_plan_init(&exact.plans[i]);
    }
    for (uint64_t at = 0; ok && at < s->plans && !tsl_deadline_passed(); at += BATCH) {
        shown out = {.leaks = leaks};
        ask(s, at, &plans);
        ok = run_first(session, s, &plans, &out, err) &&
             run(session, s, &plans, AGAIN, &exact, &out, err) &&
             run(session, s, &exact, RECORDED, NULL, &out, err) &&
             run(session, s, &plans, FORKED, NULL, &out, err);
        if (ok && !tsl_deadline_passed())
            compare(&out, &plans, at, n);
        leaks = out.leaks;
    }
    for (unsigned i = 0; i < BATCH; i++) {
        tsl_plan_drop(&plans.plans[i]);
        tsl_plan_drop(&exact.plans[i]);
    }
    return ok;
}

static void print_end(const char *which, const end *e) {
    printf("  %s: %s, exit status %d, signal %d, %lu events, %lu bytes printed\n", which,
           tsl_outcome_kind(e->outcome), (int)e->status, (int)e->signal, (unsigned long)e->events,
           (unsigned long)e->printed);
}

static int check(tsl_session *session, const settings *s, tsl_err *err) {
    count n = {0};
    if (!compare_all(session, s, &n, err))
        return tsl_cli_error(err);
    printf("%lu plans: %lu differ when restarted, %lu when forked, %lu when replayed\n",
           (unsigned long)n.compared, (unsigned long)n.differ[FIRST],
           (unsigned long)n.differ[FORKED], (unsigned long)n.differ[RECORDED]);
    if (n.cut)
        printf("%lu more had runs that were cut at the time limit of one run: not compared\n",
               (unsigned long)n.cut);
    if (n.compared + n.cut < s->plans)
        printf("%s before the other %lu were compared\n",
               tsl_deadline_interrupted() ? "interrupted" : "the time (--seconds) was used up",
               (unsigned long)(s->plans - n.compared - n.cut));
    if (n.differ[FIRST] || n.differ[FORKED] || n.differ[RECORDED]) {
        printf("first: seed %lu\n", (unsigned long)(s->seed + n.first));
        print_end("one run", &n.one);
        print_end("another", &n.other);
        return TSL_EXIT_BUGS;
    }
    return n.compared ? TSL_EXIT_CLEAN : TSL_EXIT_UNTESTED;
}

int tsl_cli_selfcheck(int argc, char **argv) {
    settings s;
    tsl_err err = {0};
    tsl_session session = {0};
    if (!parse(&s, argc, argv, &err))
        return tsl_cli_error(&err);
    if (s.help)
        return TSL_EXIT_CLEAN;
    tsl_deadline_heed_signals();
    char *program = tsl_compile(s.words.data[0], s.cflags, s.out, &err);
    if (!program)
        return tsl_cli_error(&err);
    tsl_deadline_begin(s.seconds);
    tsl_vec_push(&s.args, NULL);
    tsl_exec_options options = {.program = program,
                                .args = s.args.data,
                                .stdin_path = s.outside.stdin_path,
                                .outside = &s.outside.outside,
                                .via = s.via,
                                .max_steps = s.steps,
                                .run_seconds = 10,
                                .mode = TSL_MODE_INPLACE};
    bool open = tsl_session_open(&session, &options, 1, &err);
    if (open && s.seconds > 0)
        tsl_session_be_impatient(&session, s.seconds);
    int code = open ? check(&session, &s, &err) : tsl_cli_error(&err);
    tsl_session_close(&session);
    tsl_vec_drop(&s.words);
    tsl_vec_drop(&s.args);
    tsl_outside_options_drop(&s.outside);
    tsl_free(program);
    return code;
}
