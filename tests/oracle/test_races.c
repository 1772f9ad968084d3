// Does a search report exactly the data races that brute force finds?
//
// Brute force applies the definition (vm/c11.h) in every interleaving: a pair of sites must be
// reported if two accesses there, at least one a write and not both atomic, are neither ordered by
// the happens-before of C11 nor kept apart by another race.
//
//     test_races [--programs N] [--seed S] [--profile NAME] [--limit N] [--program FILE]
//
// Some strategies find data races themselves (optimal, source); for dfs explore/race_watch.c reads
// each new order once more.  The number of distinct orders must be right, too.  The definition
// itself is checked as well:
//
//     a pair is reported if and only if some pair is not ordered
//     every reported pair is not ordered
//     without weak atomics, and without a compare-and-swap of bytes that are also read by a plain
//     access, the reported pairs are those that can stand next to each other in some interleaving
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/campaign.h"
#include "oracle/corpus.h"
#include "oracle/suite.h"
#include "vm/brute.h"
#include "vm/generate.h"
#include "vm/runner.h"
#include "vm/shrink.h"

static const tsl_strategy_kind *const kinds[] = {&tsl_strategy_optimal, &tsl_strategy_source,
                                                 &tsl_strategy_dfs};
enum { KINDS = sizeof kinds / sizeof *kinds, DFS_COSTS = 40 };

typedef struct suite {
    uint64_t programs, seed, limit;
    const char *profile, *program, *corpus;
    tsl_vm_runner *runner;
    tsl_vm_hashes found; // pairs: low site << 32 | high site
    unsigned points, failed;
    uint64_t pairs, orders, weak;
    bool unsure, begun_again;
} suite;

// ---------------------------------------------------------------- one program

static uint64_t pair(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static void found(void *self, const tsl_found *f) {
    suite *s = self;
    const tsl_step *steps = f->history->steps.data;
    tsl_vec_push(&s->found, pair(steps[f->first].site, steps[f->second].site));
    s->weak += f->how == TSL_FOUND_WEAK;
}

static bool go_on(void *self, const tsl_campaign *campaign, const tsl_run *run) {
    (void)self, (void)campaign, (void)run;
    return true;
}

static bool search(suite *s, const tsl_vm_program *program, const tsl_strategy_kind *kind) {
    tsl_race_sink sink = {s, found};
    tsl_search how = {.preemptions = -1,
                      .max_steps = 10000,
                      .flags = program->spurious ? TSL_PLAN_SPURIOUS : 0,
                      .races = &sink,
                      .max_branches = 1000};
    tsl_vm_runner_load(s->runner, program);
    tsl_runner runner = tsl_vm_runner_interface(s->runner);
    tsl_counts counts = {0};
    tsl_campaign c = {.runner = &runner,
                      .strategy = kind->new (&how),
                      .observer = {NULL, go_on},
                      .races = &sink,
                      .counts = &counts};
    tsl_claim claim;
    tsl_err err = {0};
    tsl_vec_clear(&s->found);
    bool ok = tsl_campaign_run(&c, &claim, &err);
    s->begun_again = counts.begun_again;
    s->unsure = tsl_claim_is_weakened(&c.strategy->claim); // then it must not call itself complete
    ok = ok && (tsl_claim_verdict(&claim) == TSL_VERDICT_COMPLETE) == !s->unsure;
    s->orders = counts.traces;
    c.strategy->kind->free(c.strategy);
    tsl_vm_hashes_tidy(&s->found);
    return ok;
}

static bool agrees(suite *s, const tsl_vm_program *program, const tsl_vm_brute *brute,
                   const tsl_strategy_kind *kind) {
    if (!search(s, program, kind))
        return false;
    if (s->unsure)
        return true;
    size_t orders = 0;
    for (size_t i = 0; i < brute->classes.len; i++)
        orders += !brute->classes.data[i].spun;
    bool counted = s->orders == orders || // with another relation there are more
                   (s->begun_again && s->orders > orders);
    if (s->found.len != brute->first.len || !counted)
        return false;
    for (size_t i = 0; i < brute->first.len; i++)
        if (s->found.data[i] != pair(brute->first.data[i].low, brute->first.data[i].high))
            return false;
    return true;
}

// ---------------------------------------------------------------- the definition

static bool is_weak(const tsl_vm_program *program) {
    for (unsigned t = 0; t < program->nthreads; t++)
        for (unsigned i = 0; i < program->threads[t].len; i++)
            if (program->threads[t].ins[i].weaker || program->threads[t].ins[i].fails_weaker)
                return true;
    return false;
}

// Is some word accessed by a plain read and by a compare-and-swap?  The compare-and-swap may come
// out differently when the two stand next to each other.
static bool mixes_cas(const tsl_vm_program *program) {
    unsigned reads = 0, swaps = 0;
    for (unsigned t = 0; t < program->nthreads; t++)
        for (unsigned i = 0; i < program->threads[t].len; i++) {
            const tsl_vm_ins *ins = &program->threads[t].ins[i];
            if (ins->op == TSL_VM_CAS || ins->op == TSL_VM_CASW)
                swaps |= 1u << ins->obj;
            else if (ins->op == TSL_VM_READ || ins->op == TSL_VM_VREAD)
                reads |= 1u << ins->obj;
            else if (ins->op == TSL_VM_READAT)
                reads = ~0u;
        }
    return reads & swaps;
}

static bool is_part(const tsl_vm_races *some, const tsl_vm_races *all) {
    size_t k = 0;
    for (size_t i = 0; i < some->len; i++, k++) {
        while (k < all->len && memcmp(&all->data[k], &some->data[i], sizeof *all->data) != 0)
            k++;
        if (k == all->len)
            return false;
    }
    return true;
}

static bool makes_sense(const tsl_vm_program *program, const tsl_vm_brute *b) {
    return (b->first.len > 0) == (b->unordered.len > 0) && is_part(&b->first, &b->unordered) &&
           is_part(&b->races, &b->first) &&
           (is_weak(program) || mixes_cas(program) || b->races.len == b->first.len);
}

typedef struct question {
    suite *suite;
    const tsl_strategy_kind *kind;
} question;

static bool still_fails(const tsl_vm_program *program, void *context) {
    question *q = context;
    tsl_vm_brute brute;
    bool fails =
        tsl_vm_brute_races(&brute, program, 10 * q->suite->limit) &&
        !(q->kind ? agrees(q->suite, program, &brute, q->kind) : makes_sense(program, &brute));
    tsl_vm_brute_drop(&brute);
    return fails;
}

static void tell(suite *s, const tsl_vm_program *program, const char *name,
                 const tsl_strategy_kind *kind) {
    tsl_vm_program small = *program;
    tsl_vm_shrink(&small, still_fails, &(question){s, kind});
    tsl_vm_brute brute;
    tsl_vm_brute_races(&brute, &small, 10 * s->limit);
    if (kind)
        search(s, &small, kind);
    printf("# %s on %s: %zu pairs and %llu orders, brute force has %zu and %zu; made smaller:\n",
           kind ? kind->name : "definition", name, s->found.len, (unsigned long long)s->orders,
           brute.first.len, brute.classes.len);
    for (size_t i = 0; i < s->found.len; i++)
        printf("#   found %llx\n", (unsigned long long)s->found.data[i]);
    for (size_t i = 0; i < brute.first.len; i++)
        printf("#   is    %llx\n",
               (unsigned long long)pair(brute.first.data[i].low, brute.first.data[i].high));
    tsl_buf text = {0};
    tsl_vm_program_print(&small, &text);
    for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
        printf("#   %s\n", line);
    tsl_buf_drop(&text);
    tsl_vm_brute_drop(&brute);
}

// Counts only what fits.
static bool check(suite *s, const tsl_vm_program *program, const char *name,
                  bool broken[KINDS + 1]) {
    tsl_vm_brute brute;
    bool fits = tsl_vm_brute_races(&brute, program, s->limit);
    if (fits && !broken[KINDS] && !makes_sense(program, &brute)) {
        broken[KINDS] = true;
        tell(s, program, name, NULL);
    }
    for (unsigned k = 0; fits && k < KINDS; k++) {
        // Brute force does not count the orders of thread starts and ends; dfs does.
        if (kinds[k] == &tsl_strategy_dfs && brute.interleavings > s->limit / DFS_COSTS)
            continue;
        if (broken[k] || agrees(s, program, &brute, kinds[k]))
            continue;
        broken[k] = true;
        tell(s, program, name, kinds[k]);
    }
    s->pairs += fits ? brute.first.len : 0;
    tsl_vm_brute_drop(&brute);
    return fits;
}

// ---------------------------------------------------------------- points

static void points(suite *s, const char *name, uint64_t programs, const bool broken[KINDS + 1]) {
    for (unsigned k = 0; k <= KINDS; k++) {
        s->failed += broken[k];
        printf("%sok %u - %s %s: %llu programs, %llu pairs that race\n", broken[k] ? "not " : "",
               ++s->points, k < KINDS ? kinds[k]->name : "definition", name,
               (unsigned long long)programs, (unsigned long long)s->pairs);
    }
    s->pairs = 0;
    fflush(stdout);
}

static void run_profile(suite *s, unsigned profile) {
    bool broken[KINDS + 1] = {false};
    uint64_t done = 0;
    for (uint64_t seed = s->seed; done < s->programs && seed < s->seed + 20 * s->programs; seed++) {
        tsl_vm_program program;
        char name[64];
        tsl_vm_generate(&program, profile, TSL_VM_SMALL, seed);
        snprintf(name, sizeof name, "%s-%llu", tsl_vm_profile_names[profile],
                 (unsigned long long)seed);
        done += check(s, &program, name, broken);
    }
    points(s, tsl_vm_profile_names[profile], done, broken);
}

static bool run_file(suite *s, const char *path, bool broken[KINDS + 1], uint64_t *done,
                     tsl_err *err) {
    tsl_vm_program program;
    if (!tsl_vm_program_load(path, &program, err))
        return false;
    *done += check(s, &program, path, broken);
    return true;
}

static bool run_corpus(suite *s, tsl_err *err) {
    bool broken[KINDS + 1] = {false}, ok = true;
    uint64_t done = 0;
    tsl_corpus corpus;
    if (!tsl_corpus_open(&corpus, s->corpus, err))
        return false;
    for (size_t i = 0; ok && i < corpus.n; i++)
        ok = run_file(s, corpus.paths[i], broken, &done, err);
    points(s, "corpus", done, broken);
    tsl_corpus_drop(&corpus);
    return ok;
}

static bool run(suite *s, tsl_err *err) {
    if (s->program) {
        bool broken[KINDS + 1] = {false};
        uint64_t done = 0;
        bool ok = run_file(s, s->program, broken, &done, err);
        points(s, s->program, done, broken);
        return ok;
    }
    if (!run_corpus(s, err))
        return false;
    for (unsigned p = 0; p < TSL_VM_SMALL_PROFILES; p++)
        if (!s->profile || strcmp(s->profile, tsl_vm_profile_names[p]) == 0)
            run_profile(s, p);
    if (!s->profile || strcmp(s->profile, tsl_vm_profile_names[TSL_VM_CANCELS]) == 0)
        run_profile(s, TSL_VM_CANCELS);
    if (!s->profile || strcmp(s->profile, tsl_vm_profile_names[TSL_VM_KILLS]) == 0)
        run_profile(s, TSL_VM_KILLS);
    if (!s->profile || strcmp(s->profile, tsl_vm_profile_names[TSL_VM_ORDERS]) == 0)
        run_profile(s, TSL_VM_ORDERS);
    return true;
}

int main(int argc, char **argv) {
    suite s = {.programs = 100, .seed = 1, .limit = 3000, .corpus = "tests/vm/corpus"};
    const tsl_opt opts[] = {
        TSL_OPT_U64("programs", 'n', "N", &s.programs, "random programs of each profile"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_STRING("profile", 0, "NAME", &s.profile, "only this one"),
        TSL_OPT_U64("limit", 'l', "N", &s.limit, "interleavings of a program at most"),
        TSL_OPT_STRING("corpus", 0, "FOLDER", &s.corpus, "programs that come first"),
        TSL_OPT_STRING("program", 0, "FILE", &s.program, "only this one"),
        TSL_OPT_END,
    };
    tsl_suite_options(opts, argc, argv);
    tsl_err err = {0};
    s.runner = tsl_vm_runner_new();
    bool ok = run(&s, &err);
    printf("1..%u\n", s.points);
    tsl_vm_runner_free(s.runner);
    tsl_vec_drop(&s.found);
    if (!ok)
        printf("Bail out! %s\n", err.text);
    return !ok || s.failed ? 1 : 0;
}
