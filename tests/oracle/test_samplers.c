// Samplers: do they take each partial order as often as their definitions say?
//
//     test_samplers [--runs N] [--seed N] [--sampler NAME] [--program NAME]
//     test_samplers --exact SAMPLER    how likely is it that Fig. 1 of the RAPOS paper, as C, fails?
//
// The model runner samples by the policies of the runtime (rt/policy), and exact.c computes.  Then
// the two are compared by a chi-square test that errs once in a million times.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/opt.h"
#include "oracle/exact.h"
#include "vm/naive.h"
#include "vm/runner.h"

typedef struct suite {
    uint64_t runs, seed;
    const char *sampler, *program; // NULL: all
    tsl_vm_runner *runner;
    unsigned points, failed;
} suite;

// Threads stand before their first instruction when sampling begins, as the papers have it.
static const struct {
    const char *name, *text;
    unsigned threads, steps; // besides main; of all of them, with their ends and main's exit
} programs[] = {
    {"rapos-figure-1",
     "thread 0\n create 1\n create 2\n"
     "thread 1\n write 0 0 8 1 -\n write 0 0 8 2 -\n write 0 0 8 3 -\n write 1 0 8 4 -\n"
     "thread 2\n read 1 0 8 r0\n skipne r0 4 1\n write 3 0 8 1 -\n",
     2, 8},
    {"crossed-writes",
     "thread 0\n create 1\n create 2\n"
     "thread 1\n write 0 0 8 1 -\n write 1 0 8 1 -\n"
     "thread 2\n write 1 0 8 2 -\n write 0 0 8 2 -\n",
     2, 7},
    {"locked",
     "thread 0\n create 1\n create 2\n"
     "thread 1\n lock 0\n write 0 0 8 1 -\n unlock 0\n"
     "thread 2\n lock 0\n read 0 0 8 r0\n unlock 0\n",
     2, 9},
    {"three-threads",
     "thread 0\n create 1\n create 2\n create 3\n"
     "thread 1\n write 0 0 8 1 -\n"
     "thread 2\n write 0 0 8 2 -\n"
     "thread 3\n read 0 0 8 r0\n",
     3, 7},
    {"repeated-writes", // whoever loses the first race has a low priority, unless it is drawn again
     "thread 0\n create 1\n create 2\n"
     "thread 1\n write 0 0 8 1 -\n write 0 0 8 2 -\n"
     "thread 2\n write 0 0 8 3 -\n write 0 0 8 4 -\n",
     2, 7},
};

static const struct {
    const char *name;
    unsigned policy, depth;
} samplers[] = {
    {"pct, depth 1", TSL_POLICY_PCT, 1},
#define TSL_SAMPLER(NAME, name, wants, help) {#name, TSL_POLICY_##NAME, 3},
#include "abi/samplers.def"
#undef TSL_SAMPLER
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static void point(suite *s, bool ok, const char *program, const char *sampler, const char *what) {
    s->failed += !ok;
    printf("%sok %u - %s, %s: %s\n", ok ? "" : "not ", ++s->points, program, sampler, what);
    fflush(stdout);
}

// Main and all threads have begun.
static void make_plan(tsl_plan *plan, const tsl_vm_program *program, unsigned i, unsigned k) {
    tsl_plan_init(plan);
    tsl_plan_steps(plan, 0, 1 + programs[i].threads);
    for (unsigned t = 1; t <= programs[i].threads; t++)
        tsl_plan_steps(plan, program->threads[t].number, 1);
    plan->policy = samplers[k].policy;
    plan->depth = samplers[k].depth;
    plan->length = programs[i].steps;
    bool weighs = tsl_policy_wants(samplers[k].policy) == TSL_WANTS_WEIGHTS;
    for (unsigned t = 0; weighs && t <= programs[i].threads; t++) {
        uint32_t own = t ? program->threads[t].len + 1u : 1;
        tsl_vec_push(&plan->weights, ((tsl_weight){program->threads[t].number, own}));
    }
    // Main's creates the others.
    for (size_t t = 1; t < plan->weights.len; t++)
        plan->weights.data[0].weight += plan->weights.data[t].weight;
}

// What is exceeded once in a million times (Wilson and Hilferty).
static double chi_square_limit(double degrees) {
    double z = 4.753, x = 1 - 2 / (9 * degrees) + z * sqrt(2 / (9 * degrees));
    return degrees * x * x * x;
}

typedef struct tally {
    TSL_VEC(uint64_t) seen; // of the exact orders
    uint64_t others, shows, runs;
} tally;

static void sample(suite *s, const tsl_exact *exact, tsl_plan *plan, bool figure, tally *t) {
    tsl_runner runner = tsl_vm_runner_interface(s->runner);
    tsl_run run = {0};
    for (size_t i = 0; i < exact->orders.len; i++)
        tsl_vec_push(&t->seen, 0);
    // The published figures are about a hundred thousand.
    uint64_t runs = figure ? s->runs : s->runs / 5;
    for (t->runs = 0; t->runs < runs; t->runs++) {
        tsl_err err;
        plan->seed = s->seed + t->runs;
        if (!tsl_runner_run(&runner, plan, &run, &err))
            t->others++;
        uint64_t canon = tsl_naive_canon(&run.trace);
        size_t i = 0;
        while (i < exact->orders.len && exact->orders.data[i].canon != canon)
            i++;
        if (i == exact->orders.len) {
            t->others++;
            continue;
        }
        t->seen.data[i]++;
        t->shows += exact->orders.data[i].shows;
    }
    tsl_run_drop(&run);
}

static void compare(suite *s, const tsl_exact *exact, const tally *t, const char *program,
                    const char *sampler) {
    double chi = 0, degrees = -1, sum = 0;
    for (size_t i = 0; i < exact->orders.len; i++) {
        double expected = exact->orders.data[i].p * (double)t->runs;
        double off = (double)t->seen.data[i] - expected;
        sum += exact->orders.data[i].p;
        chi += off * off / expected;
        degrees++;
    }
    bool fits = degrees < 1 || chi < chi_square_limit(degrees);
    printf("# %s, %s: %zu orders, chi-square %.1f, limit %.1f; shows %.5f, exactly %.5f\n", program,
           sampler, exact->orders.len, chi, degrees < 1 ? 0 : chi_square_limit(degrees),
           (double)t->shows / (double)t->runs, exact->shows);
    point(s, fabs(sum - 1) < 1e-9, program, sampler, "probabilities add up");
    point(s, t->others == 0, program, sampler, "no order that can't be");
    point(s, fits, program, sampler, "each as often as computed");
}

// The paper's example: 1/16 (BENCHMARKS: not 1/32), and 1/4.
static void check_figure(suite *s, const tsl_exact *exact, const tally *t, unsigned policy) {
    double wanted = policy == TSL_POLICY_RAPOS ? 0.25 : 1.0 / 16;
    double error = 5 * sqrt(wanted * (1 - wanted) / (double)t->runs);
    const char *name = policy == TSL_POLICY_RAPOS ? "rapos" : "random";
    point(s, fabs(exact->shows - wanted) < 1e-12, "rapos-figure-1", name, "computed as published");
    point(s, fabs((double)t->shows / (double)t->runs - wanted) < error, "rapos-figure-1", name,
          "sampled as published");
}

// The probabilities of random and rapos for the first program are published.
static bool is_published(unsigned i, unsigned k) {
    return i == 0 &&
           (samplers[k].policy == TSL_POLICY_RANDOM || samplers[k].policy == TSL_POLICY_RAPOS);
}

static void check(suite *s, unsigned i, unsigned k) {
    tsl_vm_program program;
    tsl_err err;
    tsl_plan plan;
    tsl_exact exact;
    tally t = {0};
    if (!tsl_vm_program_parse(programs[i].text, &program, &err)) {
        point(s, false, programs[i].name, samplers[k].name, err.text);
        return;
    }
    make_plan(&plan, &program, i, k);
    tsl_vm_runner_load(s->runner, &program);
    tsl_exact_init(&exact, &program, &plan);
    sample(s, &exact, &plan, is_published(i, k), &t);
    compare(s, &exact, &t, programs[i].name, samplers[k].name);
    if (is_published(i, k))
        check_figure(s, &exact, &t, samplers[k].policy);
    tsl_vec_drop(&t.seen);
    tsl_exact_drop(&exact);
    tsl_plan_drop(&plan);
}

static bool is_asked(const suite *s, unsigned i, unsigned k) {
    return (!s->sampler || strcmp(s->sampler, samplers[k].name) == 0) &&
           (!s->program || strcmp(s->program, programs[i].name) == 0);
}

static void check_all(suite *s) {
    for (unsigned i = 0; i < COUNT(programs); i++)
        for (unsigned k = 0; k < COUNT(samplers); k++)
            if (is_asked(s, i, k))
                check(s, i, k);
}

// The steps before which the runtime asks: tests/rapos/figure_1.c.
static const char in_c[] =
    "thread 0\n create 1\n create 2\n read 2 0 8 r0\n join 1\n join 2\n"
    "thread 1\n awrite 0 0 8 1 -\n awrite 0 0 8 2 -\n awrite 0 0 8 3 -\n awrite 1 0 8 4 -\n"
    "thread 2\n aread 1 0 8 r0\n skipne r0 4 1\n write 3 0 8 1 -\n";

static int print_exact(const char *sampler) {
    tsl_vm_program program;
    tsl_err err;
    tsl_plan plan;
    tsl_exact exact;
    tsl_plan_init(&plan);
    plan.policy = strcmp(sampler, "rapos") == 0 ? TSL_POLICY_RAPOS : TSL_POLICY_RANDOM;
    bool known = plan.policy == TSL_POLICY_RAPOS || strcmp(sampler, "random") == 0;
    if (!known || !tsl_vm_program_parse(in_c, &program, &err)) {
        fprintf(stderr, "no exact value for %s\n", sampler);
        return 2;
    }
    tsl_exact_init(&exact, &program, &plan);
    printf("%.9f\n", exact.shows);
    tsl_exact_drop(&exact);
    tsl_plan_drop(&plan);
    return 0;
}

int main(int argc, char **argv) {
    const char *exactly = NULL;
    suite s = {.runs = 100000, .seed = 1};
    const tsl_opt opts[] = {
        TSL_OPT_U64("runs", 'r', "N", &s.runs, "samples of each"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_STRING("sampler", 0, "NAME", &s.sampler, "only this one"),
        TSL_OPT_STRING("program", 0, "NAME", &s.program, "only this one"),
        TSL_OPT_STRING("exact", 0, "SAMPLER", &exactly, "only this: the probability, as a number"),
        TSL_OPT_END,
    };
    tsl_words words = {0};
    tsl_err err = {0};
    if (!tsl_opt_parse(opts, argc - 1, argv + 1, &words, NULL, &err)) {
        printf("Bail out! %s\n", err.text);
        return 2;
    }
    if (exactly)
        return print_exact(exactly);
    s.runner = tsl_vm_runner_new();
    check_all(&s);
    printf("1..%u\n", s.points);
    if (!s.points)
        printf("Bail out! there is no such sampler or program\n");
    tsl_vm_runner_free(s.runner);
    return s.failed || !s.points;
}
