// Does every strategy that ends by itself see what brute force sees, on random model programs?
//
// Plain sleep sets (sleepset.h) are tested in the same way, which checks the model runner itself.
//
//     test_strategies [--programs N] [--seed S] [--strategy NAME] [--profile NAME]
//                     [--limit N] [--large] [--inputs] [--waits] [--cancels] [--exits] [--orders]
//                     [--opaques] [--kills] [--shuffle SEED] [--workers N] [--also-workers N]
//                     [--corpus FOLDER] [--no-corpus] [--failures FOLDER] [--program FILE]
//                     [--stop]
//
// Programs with loops that wait are also run as C defines them, round after round (vm/graph.h): a
// search in which a thread that spins in vain takes no further step must find all their ends.
//
// The corpus comes first.  There is one TAP line for each strategy and profile.  If a strategy
// fails on a program, the program is shrunk, printed and written to the folder of failures; with
// --stop it is only named, and the test ends there.
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "oracle/corpus.h"
#include "oracle/oracle.h"
#include "oracle/sleepset.h"
#include "oracle/suite.h"
#include "vm/generate.h"
#include "vm/graph.h"
#include "vm/shrink.h"

// What a strategy promises beyond seeing everything.
static const struct rule {
    const char *strategy;
    tsl_oracle_options options;
} rules[] = {
    {"dfs", {.every_interleaving = true, .preemptions = -1}},
    {"sleep-sets", {.no_duplicates = true, .preemptions = -1}},
    {"dpor-cr-sleep", {.no_duplicates = true, .preemptions = -1}},
    {"raceflip-opt", {.no_duplicates = true, .preemptions = -1}},
    {"raceflip-simple", {.every_interleaving = true, .preemptions = -1}},
    {"source", {.no_duplicates = true, .preemptions = -1}},
    {"optimal", {.optimal = true, .preemptions = -1}},
    {"toy", {.every_interleaving = true, .preemptions = -1, .max_executions = 1000000}},
};

static const tsl_oracle_options no_rule = {.preemptions = -1};

static const tsl_oracle_options *options_of(const tsl_strategy_kind *kind) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].strategy, kind->name) == 0)
            return &rules[i].options;
    return &no_rule;
}

typedef struct totals {
    uint64_t programs, executions, blocked, duplicates, classes;
    double seconds;
} totals;

enum { MAX_STRATEGIES = 64 };

typedef struct suite {
    uint64_t programs, seed, limit, shuffle, workers, also_workers;
    const char *strategy, *profile, *corpus, *failures, *program;
    bool no_corpus, large, inputs, waits, cancels, exits, orders, opaques, kills, stop;
    tsl_oracle *oracle;
    const tsl_strategy_kind *kinds[MAX_STRATEGIES];
    unsigned planned_for[MAX_STRATEGIES]; // workers
    unsigned nkinds;
    unsigned points, failed;
    // of one profile
    totals totals[MAX_STRATEGIES];
    bool broken[MAX_STRATEGIES];
    uint64_t interleavings, classes, given_up, deadlocks, races, finals, paths, rejected;
    uint64_t lost_ends; // programs with loops for which not all ends of C were found
} suite;

// ---------------------------------------------------------------- one program

// To check a strategy that must see every interleaving, brute force must see every one, too.
static bool is_asked(const suite *s, const tsl_strategy_kind *kind) {
    return !s->large || !options_of(kind)->every_interleaving;
}

static bool has_loops(const tsl_vm_program *program) {
    for (unsigned t = 0; t < program->nthreads; t++)
        for (unsigned i = 0; i < program->threads[t].len; i++)
            if (program->threads[t].ins[i].op == TSL_VM_AGAIN ||
                program->threads[t].ins[i].op == TSL_VM_AGAINEQ)
                return true;
    return false;
}

// Does the strategy fit the profile?  Plain sleep sets do not know how to change inputs.  In
// samples, loops that wait go on, so they show orders that a search does not, where such loops end.
// A strategy with one schedule only fits programs of one thread.
static bool is_asked_about(const suite *s, const tsl_strategy_kind *kind,
                           const tsl_vm_program *program) {
    return is_asked(s, kind) &&
           (kind != &tsl_oracle_sleepset || !tsl_vm_program_has_inputs(program)) &&
           (kind != &tsl_strategy_portfolio || !has_loops(program)) &&
           (!kind->one_schedule || program->nthreads == 1);
}

typedef struct question {
    suite *suite;
    unsigned k;
} question;

static bool ask(suite *s, const tsl_vm_program *program, const tsl_vm_brute *brute, unsigned k,
                tsl_oracle_report *report) {
    tsl_oracle_workers(s->oracle, s->planned_for[k]);
    return tsl_oracle_strategy(s->oracle, program, brute, s->kinds[k], options_of(s->kinds[k]),
                               report);
}

static bool still_fails(const tsl_vm_program *program, void *context) {
    question *q = context;
    tsl_vm_brute brute;
    tsl_oracle_report report;
    bool fails = tsl_vm_brute_run(&brute, program, 10 * q->suite->limit, q->suite->large) &&
                 !ask(q->suite, program, &brute, q->k, &report);
    tsl_vm_brute_drop(&brute);
    return fails;
}

static void comment(const char *text) {
    printf("# ");
    for (; *text; text++)
        printf(*text == '\n' && text[1] ? "\n# " : "%c", *text);
}

static void tell(suite *s, const tsl_vm_program *program, unsigned k, const char *name,
                 const tsl_oracle_report *report) {
    const tsl_strategy_kind *kind = s->kinds[k];
    printf("# %s fails on %s: %s\n", kind->name, name, report->failure);
    if (s->stop)
        return;
    tsl_vm_program small = *program;
    tsl_vm_shrink(&small, still_fails, &(question){s, k});
    tsl_buf text = {0};
    tsl_vm_program_print(&small, &text);
    comment(tsl_buf_text(&text));
    tsl_buf_drop(&text);
    char *path = tsl_asprintf("%s/%s-%s.vm", s->failures, kind->name, name);
    for (char *p = path + strlen(s->failures) + 1; *p; p++)
        if (*p == '/')
            *p = '_';
    char *why = tsl_asprintf("%s: %s", kind->name, report->failure);
    tsl_err err = {0};
    if (tsl_corpus_keep(path, &small, why, &err))
        printf("# written to %s\n", path);
    else
        printf("# %s\n", err.text);
    tsl_free(why);
    tsl_free(path);
}

static void check(suite *s, const tsl_vm_program *program, const tsl_vm_brute *brute, unsigned k,
                  const char *name) {
    tsl_oracle_report report;
    double begun = tsl_clock_now();
    bool ok = ask(s, program, brute, k, &report);
    totals *t = &s->totals[k];
    t->seconds += tsl_clock_now() - begun;
    t->programs++;
    t->executions += report.executions;
    t->blocked += report.blocked;
    t->duplicates += report.duplicates;
    t->classes += report.classes;
    if (ok)
        return;
    s->broken[k] = true; // one failure of a profile is enough to look at
    tell(s, program, k, name, &report);
}

enum { MOST_STATES = 20000 };

static bool ends_differ(const tsl_vm_program *program, void *context) {
    const suite *s = context;
    tsl_vm_brute brute;
    tsl_vm_hashes ends = {0};
    bool known = tsl_vm_graph_ends(program, MOST_STATES, &ends) &&
                 tsl_vm_brute_run(&brute, program, 10 * s->limit, s->large);
    bool differ = known && (ends.len != brute.ends.len ||
                            memcmp(ends.data, brute.ends.data, ends.len * sizeof *ends.data) != 0);
    if (known)
        tsl_vm_brute_drop(&brute);
    tsl_vec_drop(&ends);
    return differ;
}

static void check_ends(suite *s, const tsl_vm_program *program, const char *name) {
    if (s->lost_ends || !tsl_vm_program_has_loops(program) || !ends_differ(program, s))
        return;
    printf("# %s: without loops that changed nothing it ends otherwise\n", name);
    tsl_vm_program small = *program;
    tsl_vm_shrink(&small, ends_differ, s);
    tsl_buf text = {0};
    tsl_vm_program_print(&small, &text);
    comment(tsl_buf_text(&text));
    tsl_buf_drop(&text);
    s->lost_ends++;
}

// It is enough that a broken rule is noticed once.
static bool is_over(const suite *s) {
    bool broken = s->failed > 0 || s->lost_ends > 0;
    for (unsigned k = 0; k < s->nkinds; k++)
        broken |= s->broken[k];
    return s->stop && broken;
}

static bool check_all(suite *s, const tsl_vm_program *program, const char *name) {
    tsl_vm_brute brute;
    bool ok = tsl_vm_brute_run(&brute, program, s->limit, s->large);
    if (ok) {
        s->interleavings += brute.interleavings;
        s->classes += brute.classes.len;
        s->finals += brute.finals.len;
        s->deadlocks += brute.deadlocks.len > 0;
        s->rejected += brute.rejected.len > 0;
        s->paths += brute.paths;
        s->races += brute.races.len > 0;
        check_ends(s, program, name);
        for (unsigned k = 0; k < s->nkinds; k++)
            if (!s->broken[k] && !is_over(s) && is_asked_about(s, s->kinds[k], program))
                check(s, program, &brute, k, name);
    } else
        s->given_up++;
    tsl_vm_brute_drop(&brute);
    return ok;
}

// ---------------------------------------------------------------- points

static void start_points(suite *s) {
    memset(s->totals, 0, sizeof s->totals);
    memset(s->broken, 0, sizeof s->broken);
    s->interleavings = s->classes = s->given_up = s->deadlocks = s->races = s->finals = 0;
    s->paths = s->rejected = s->lost_ends = 0;
}

static void points(suite *s, const char *profile, uint64_t programs, double seconds) {
    double n = programs ? (double)programs : 1;
    printf("# %s: %llu programs, %llu too large; each %.1f interleavings, %.1f classes, "
           "%.1f final states; %llu with deadlocks, %llu with races; brute force %.2f s\n",
           profile, (unsigned long long)programs, (unsigned long long)s->given_up,
           (double)s->interleavings / n, (double)s->classes / n, (double)s->finals / n,
           (unsigned long long)s->deadlocks, (unsigned long long)s->races, seconds);
    if (s->inputs)
        printf("# each %.1f paths; assumptions fail in %llu\n", (double)s->paths / n,
               (unsigned long long)s->rejected);
    if (s->waits) {
        s->failed += s->lost_ends > 0;
        printf("%sok %u - ends of %s are those of C\n", s->lost_ends ? "not " : "", ++s->points,
               profile);
    }
    for (unsigned k = 0; k < s->nkinds; k++) {
        const totals *t = &s->totals[k];
        if (!is_asked(s, s->kinds[k]) || (s->kinds[k]->one_schedule && !t->programs))
            continue;
        s->failed += s->broken[k];
        printf(
            "%sok %u - %s%s %s: %llu runs, %llu redundant, %llu duplicates, %llu classes, %.2f s\n",
            s->broken[k] ? "not " : "", ++s->points, s->kinds[k]->name,
            s->planned_for[k] > 1 ? " for several workers" : "", profile,
            (unsigned long long)t->executions, (unsigned long long)t->blocked,
            (unsigned long long)t->duplicates, (unsigned long long)t->classes, t->seconds);
    }
    fflush(stdout);
}

static double strategy_seconds(const suite *s) {
    double sum = 0;
    for (unsigned k = 0; k < s->nkinds; k++)
        sum += s->totals[k].seconds;
    return sum;
}

static void run_profile(suite *s, unsigned profile) {
    start_points(s);
    double begun = tsl_clock_now();
    uint64_t done = 0;
    for (uint64_t seed = s->seed;
         done < s->programs && seed < s->seed + 20 * s->programs && !is_over(s); seed++) {
        tsl_vm_program program;
        tsl_vm_generate(&program, profile, s->large ? TSL_VM_LARGE : TSL_VM_SMALL, seed);
        char name[64];
        snprintf(name, sizeof name, "%s-%llu%s", tsl_vm_profile_names[profile],
                 (unsigned long long)seed, s->large ? "-large" : "");
        done += check_all(s, &program, name);
    }
    points(s, tsl_vm_profile_names[profile], done, tsl_clock_now() - begun - strategy_seconds(s));
}

static bool run_file(suite *s, const char *path, tsl_err *err) {
    tsl_vm_program program;
    if (!tsl_vm_program_load(path, &program, err))
        return false;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    uint64_t limit = s->limit;
    bool large = s->large;
    s->limit = 200000; // kept programs are small, but some need more than the usual limit
    bool fits = check_all(s, &program, name);
    if (!fits && !large) {
        s->large = true;
        fits = check_all(s, &program, name);
    }
    s->large = large;
    s->limit = limit;
    return fits || tsl_fail(err, TSL_ELIMIT, "%s has too many interleavings", path);
}

static bool run_corpus(suite *s, tsl_err *err) {
    tsl_corpus corpus;
    start_points(s);
    double begun = tsl_clock_now();
    if (!tsl_corpus_open(&corpus, s->corpus, err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < corpus.n && !is_over(s); i++)
        ok = run_file(s, corpus.paths[i], err);
    if (ok)
        points(s, "corpus", corpus.n, tsl_clock_now() - begun - strategy_seconds(s));
    tsl_corpus_drop(&corpus);
    return ok;
}

// ---------------------------------------------------------------- main

static bool run(suite *s, tsl_err *err) {
    if (s->program) {
        start_points(s);
        if (!run_file(s, s->program, err))
            return false;
        points(s, s->program, 1, 0);
        return true;
    }
    if (!s->no_corpus && !run_corpus(s, err))
        return false;
    bool found = false;
    unsigned only = s->waits     ? TSL_VM_WAITS
                    : s->cancels ? TSL_VM_CANCELS
                    : s->exits   ? TSL_VM_EXITS
                    : s->orders  ? TSL_VM_ORDERS
                    : s->opaques ? TSL_VM_OPAQUES
                    : s->kills   ? TSL_VM_KILLS
                                 : 0;
    unsigned from = only ? only : s->inputs ? TSL_VM_PROFILE_COUNT : 0;
    unsigned to = only         ? only + 1
                  : !s->inputs ? TSL_VM_PROFILE_COUNT
                  : s->large   ? TSL_VM_ALL_PROFILES
                               : TSL_VM_SMALL_PROFILES;
    for (unsigned p = from; p < to && !is_over(s); p++)
        if (!s->profile || strcmp(s->profile, tsl_vm_profile_names[p]) == 0) {
            run_profile(s, p);
            found = true;
        }
    return found || is_over(s) || tsl_fail(err, TSL_EUSAGE, "no profile %s", s->profile);
}

static void add_strategy(suite *s, const tsl_strategy_kind *kind, uint64_t workers) {
    if (s->nkinds == MAX_STRATEGIES)
        return;
    s->planned_for[s->nkinds] = (unsigned)workers;
    s->kinds[s->nkinds++] = kind;
}

static void select_strategy(suite *s, const tsl_strategy_kind *kind) {
    bool wanted = !s->strategy || strcmp(s->strategy, kind->name) == 0;
    bool ends = !kind->samples || kind == &tsl_strategy_portfolio;
    if (ends && wanted)
        add_strategy(s, kind, s->workers);
}

static bool select_strategies(suite *s, tsl_err *err) {
    if (!s->inputs)
        select_strategy(s, &tsl_oracle_sleepset); // it tests the runner
    for (const tsl_strategy_kind *const *k = tsl_strategies; *k; k++)
        select_strategy(s, *k);
    if (s->also_workers)
        add_strategy(s, &tsl_strategy_optimal, s->also_workers);
    return s->nkinds || tsl_fail(err, TSL_EUSAGE, "no strategy %s", s->strategy);
}

int main(int argc, char **argv) {
    suite s = {
        .programs = 100, .seed = 1, .limit = 3000, .corpus = "tests/vm/corpus", .failures = "/tmp"};
    const tsl_opt opts[] = {
        TSL_OPT_U64("programs", 'n', "N", &s.programs, "random programs of each profile"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_STRING("strategy", 0, "NAME", &s.strategy, "only this one"),
        TSL_OPT_STRING("profile", 0, "NAME", &s.profile, "only this one"),
        TSL_OPT_U64("limit", 'l', "N", &s.limit, "interleavings of a program at most"),
        TSL_OPT_FLAG("large", 0, &s.large, "larger programs; strategies that reduce only"),
        TSL_OPT_FLAG("inputs", 0, &s.inputs, "programs with inputs"),
        TSL_OPT_FLAG("waits", 0, &s.waits, "programs with loops that wait"),
        TSL_OPT_FLAG("cancels", 0, &s.cancels, "programs whose threads are cancelled"),
        TSL_OPT_FLAG("kills", 0, &s.kills, "programs whose threads send each other signals"),
        TSL_OPT_FLAG("exits", 0, &s.exits, "programs that several threads may end"),
        TSL_OPT_FLAG("orders", 0, &s.orders,
                     "programs with memory orders, and compare-and-swaps that may fail"),
        TSL_OPT_FLAG("opaques", 0, &s.opaques, "programs with steps that may touch anything"),
        TSL_OPT_U64("workers", 0, "N", &s.workers, "for which searches plan (1)"),
        TSL_OPT_U64("also-workers", 0, "N", &s.also_workers, "optimal once more, for N workers"),
        TSL_OPT_U64("shuffle", 0, "SEED", &s.shuffle, "strategies explore in a random order"),
        TSL_OPT_STRING("corpus", 0, "FOLDER", &s.corpus, "programs that come first"),
        TSL_OPT_FLAG("no-corpus", 0, &s.no_corpus, "no programs come first"),
        TSL_OPT_STRING("failures", 0, "FOLDER", &s.failures, "where failing programs go"),
        TSL_OPT_STRING("program", 0, "FILE", &s.program, "only this one"),
        TSL_OPT_FLAG("stop", 0, &s.stop,
                     "end at the first failure, and leave it as large as it is"),
        TSL_OPT_END,
    };
    tsl_suite_options(opts, argc, argv);
    tsl_err err = {0};
    bool ok = select_strategies(&s, &err);
    if (ok) {
        s.oracle = tsl_oracle_new();
        tsl_oracle_shuffle(s.oracle, s.shuffle);
        ok = run(&s, &err);
        printf("1..%u\n", s.points);
        tsl_oracle_free(s.oracle);
    }
    if (!ok)
        printf("Bail out! %s\n", err.text);
    return !ok || s.failed ? 1 : 0;
}
