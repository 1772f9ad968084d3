// What do strategies, and the steps that follow a search, do if runs of a program do not repeat?
//
//     test_stray [--programs N] [--seed S] [--strategy NAME] [--runs N] [--one-of N]
//
// The runner spoils some of its Traces (vm/spoil.h).  The test checks that nothing aborts, that
// everything ends, and that no search calls itself complete once a run did not begin as its Plan
// says.  There is one TAP line for each strategy, and one for making Plans smaller.
#include <stdio.h>
#include <string.h>

#include "explore/campaign.h"
#include "explore/minimise.h"
#include "oracle/suite.h"
#include "vm/generate.h"
#include "vm/spoil.h"

typedef struct suite {
    uint64_t programs, seed, runs, one_of;
    const char *strategy;
    tsl_vm_spoiler *spoiler;
    unsigned points, failed;
    uint64_t executions, spoiled, diverged, races;
} suite;

// ---------------------------------------------------------------- campaigns

// Whatever a run was, it was checked when it was taken, and the strategy's data are consistent.
static bool go_on(void *self, const tsl_campaign *campaign, const tsl_run *run) {
    (void)self;
    const tsl_strategy *strategy = campaign->strategy;
    tsl_run_check(run);
    if (strategy->kind->check)
        strategy->kind->check(strategy);
    return true;
}

static void found(void *self, const tsl_found *f) {
    (void)f;
    ((suite *)self)->races++;
}

// Does the strategy go by the steps of earlier runs?  `paths` looks only at what inputs decide.
static bool is_search(const tsl_strategy_kind *kind) {
    return !kind->samples && kind != &tsl_strategy_paths;
}

// Returns false if it claims too much.
static bool check(suite *s, const tsl_strategy_kind *kind, const tsl_vm_program *program,
                  const tsl_vm_program *other, uint64_t seed) {
    tsl_vm_spoiler_load(s->spoiler, program, other, (unsigned)s->one_of, seed);
    tsl_runner runner = tsl_vm_spoiler_interface(s->spoiler);
    tsl_race_sink sink = {s, found};
    tsl_search search = {.seed = seed,
                         .max_steps = 10000,
                         .flags = program->spurious ? TSL_PLAN_SPURIOUS : 0,
                         .random_order = seed % 4 == 3,
                         .preemptions = kind == &tsl_bounded_optimal ? 2 : -1,
                         .iterate = seed % 2 == 1,
                         .races = &sink,
                         .workers = (unsigned)(seed % 3 * 3),
                         .runs = s->runs,
                         .max_branches = 1000};
    tsl_counts counts = {0};
    tsl_campaign c = {.runner = &runner,
                      .strategy = kind->new (&search),
                      .runs = s->runs,
                      .observer = {s, go_on},
                      .races = &sink,
                      .counts = &counts};
    tsl_claim claim = {0};
    tsl_buf words = {0};
    tsl_err err = {0};
    bool ok = tsl_campaign_run(&c, &claim, &err);
    enum tsl_verdict verdict = tsl_claim_verdict(&claim);
    uint64_t spoiled = tsl_vm_spoiler_prefixes(s->spoiler);
    bool must_show = tsl_vm_spoiler_must_show(s->spoiler);
    s->executions += counts.executions;
    s->spoiled += spoiled;
    s->diverged += counts.diverged;
    bool claims = verdict == TSL_VERDICT_COMPLETE || verdict == TSL_VERDICT_BOUNDED ||
                  verdict == TSL_VERDICT_EXCEPT;
    tsl_claim_words(&claim, &words);
    bool too_much = claims && (counts.diverged || (is_search(kind) && must_show));
    if (!ok || too_much)
        printf("# %s, seed %llu: %s after %llu runs, %llu spoiled, %llu noticed %s\n", kind->name,
               (unsigned long long)seed, tsl_buf_text(&words),
               (unsigned long long)counts.executions, (unsigned long long)spoiled,
               (unsigned long long)counts.diverged, err.text);
    tsl_buf_drop(&words);
    kind->free(c.strategy);
    return ok && !too_much;
}

static void point(suite *s, bool ok, const char *name) {
    s->failed += !ok;
    printf("%sok %u - %s: %llu runs, %llu with another beginning, %llu noticed\n", ok ? "" : "not ",
           ++s->points, name, (unsigned long long)s->executions, (unsigned long long)s->spoiled,
           (unsigned long long)s->diverged);
    fflush(stdout);
    s->executions = s->spoiled = s->diverged = 0;
}

static void generate(tsl_vm_program *program, uint64_t seed) {
    tsl_vm_generate(program, (enum tsl_vm_profile)(seed % TSL_VM_SMALL_PROFILES), TSL_VM_SMALL,
                    seed);
}

static void run_strategy(suite *s, const tsl_strategy_kind *kind, const char *name) {
    if (s->strategy && strcmp(s->strategy, name) != 0)
        return;
    bool ok = true;
    for (uint64_t seed = s->seed; seed < s->seed + s->programs; seed++) {
        tsl_vm_program program, other;
        generate(&program, seed);
        generate(&other, seed + TSL_VM_SMALL_PROFILES * (seed % 2) + seed % 5);
        ok &= check(s, kind, &program, &other, seed);
    }
    point(s, ok, name);
}

// ---------------------------------------------------------------- smaller Plans

typedef struct any_goal {
    uint64_t n;
} any_goal;

static bool now_and_then(void *self, const tsl_run *run) {
    return tsl_outcome_is_bug(run->outcome) || ++((any_goal *)self)->n % 3 == 0;
}

static void run_minimise(suite *s) {
    bool ok = true;
    for (uint64_t seed = s->seed; seed < s->seed + s->programs; seed++) {
        tsl_vm_program program, other;
        generate(&program, seed);
        generate(&other, seed + 1);
        tsl_vm_spoiler_load(s->spoiler, &program, &other, (unsigned)s->one_of, seed);
        tsl_runner runner = tsl_vm_spoiler_interface(s->spoiler);
        any_goal state = {0};
        tsl_goal goal = {&state, now_and_then};
        tsl_plan plan, ran;
        tsl_run run = {0};
        tsl_err err = {0};
        tsl_plan_init(&plan);
        tsl_plan_init(&ran);
        plan.max_steps = 10000;
        plan.policy = TSL_POLICY_RANDOM;
        plan.seed = seed;
        ok &= tsl_runner_run(&runner, &plan, &run, &err);
        tsl_trace_to_plan(&run.trace, &plan, &ran);
        ok &= tsl_minimise(&runner, &goal, &ran, 100, &err);
        ran.flags |= TSL_PLAN_STOP;
        ok &= tsl_minimise(&runner, &goal, &ran, 100, &err);
        tsl_plan_drop(&plan);
        tsl_plan_drop(&ran);
        tsl_run_drop(&run);
    }
    point(s, ok, "minimising");
}

int main(int argc, char **argv) {
    suite s = {.programs = 100, .seed = 1, .runs = 300, .one_of = 10};
    const tsl_opt opts[] = {
        TSL_OPT_U64("programs", 'n', "N", &s.programs, "random programs for each strategy"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_STRING("strategy", 0, "NAME", &s.strategy, "only this one"),
        TSL_OPT_U64("runs", 0, "N", &s.runs, "of one campaign at most"),
        TSL_OPT_U64("one-of", 0, "N", &s.one_of, "one Trace of so many is spoiled"),
        TSL_OPT_END,
    };
    tsl_suite_options(opts, argc, argv);
    s.spoiler = tsl_vm_spoiler_new();
    for (const tsl_strategy_kind *const *k = tsl_strategies; *k; k++)
        run_strategy(&s, *k, (*k)->name);
    run_strategy(&s, &tsl_bounded_optimal, "bounded");
    if (!s.strategy)
        run_minimise(&s);
    printf("1..%u\n", s.points);
    tsl_vm_spoiler_free(s.spoiler);
    return s.failed ? 1 : 0;
}
