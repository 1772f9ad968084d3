// Is the model itself sound?
//
//     text      a program that is printed and parsed again is the same program
//     eager     brute force that takes first and last steps at once sees the same
//     classes   all interleavings of one class end in one state
//     canon     the hash of a Trace is the one that brute force computed on the way
//     replay    a Trace that is turned into a Plan gives the same Trace
//     shrink    a program that was shrunk can't lose another instruction
#include <stdio.h>
#include <string.h>

#include "oracle/suite.h"
#include "vm/brute.h"
#include "vm/generate.h"
#include "vm/naive.h"
#include "vm/runner.h"
#include "vm/shrink.h"

typedef struct suite {
    uint64_t programs, seed, limit;
    unsigned points, failed;
    tsl_vm_runner *runner;
} suite;

// ---------------------------------------------------------------- the checks

static bool text_is_kept(const tsl_vm_program *program) {
    tsl_buf first = {0}, second = {0};
    tsl_vm_program again;
    tsl_err err = {0};
    tsl_vm_program_print(program, &first);
    bool ok = tsl_vm_program_parse(tsl_buf_text(&first), &again, &err);
    if (ok) {
        tsl_vm_program_print(&again, &second);
        ok = strcmp(tsl_buf_text(&first), tsl_buf_text(&second)) == 0;
    } else
        printf("# %s\n", err.text);
    tsl_buf_drop(&first);
    tsl_buf_drop(&second);
    return ok;
}

static bool same_hashes(const tsl_vm_hashes *a, const tsl_vm_hashes *b) {
    return a->len == b->len && (!a->len || !memcmp(a->data, b->data, a->len * sizeof *a->data));
}

static bool same_brute(const tsl_vm_brute *a, const tsl_vm_brute *b) {
    if (a->classes.len != b->classes.len || a->races.len != b->races.len)
        return false;
    for (size_t i = 0; i < a->classes.len; i++)
        if (a->classes.data[i].canon != b->classes.data[i].canon)
            return false;
    for (size_t i = 0; i < a->races.len; i++)
        if (a->races.data[i].low != b->races.data[i].low ||
            a->races.data[i].high != b->races.data[i].high)
            return false;
    return same_hashes(&a->finals, &b->finals) && same_hashes(&a->deadlocks, &b->deadlocks) &&
           same_hashes(&a->rejected, &b->rejected);
}

static bool is_class(const tsl_vm_brute *brute, uint64_t canon) {
    for (size_t i = 0; i < brute->classes.len; i++)
        if (brute->classes.data[i].canon == canon)
            return true;
    return false;
}

// Every random run belongs to a known class, and can be replayed.
static bool runs_are_known(suite *s, const tsl_vm_program *program, const tsl_vm_brute *brute) {
    tsl_runner runner = tsl_vm_runner_interface(s->runner);
    tsl_plan plan, again;
    tsl_plan_init(&plan);
    tsl_plan_init(&again);
    plan.policy = TSL_POLICY_RANDOM;
    plan.flags = TSL_PLAN_SYMBOLIC | (program->spurious ? TSL_PLAN_SPURIOUS : 0);
    plan.max_branches = 1000;
    tsl_vm_runner_load(s->runner, program);
    tsl_run run = {0};
    bool ok = true;
    for (plan.seed = 0; ok && plan.seed < 20; plan.seed++) {
        plan.input_seed = plan.seed;
        ok = tsl_runner_run(&runner, &plan, &run, NULL);
        ok = ok && is_class(brute, tsl_naive_canon(&run.trace));
        uint64_t hash = tsl_trace_hash(&run.trace);
        tsl_trace_to_plan(&run.trace, &plan, &again);
        ok =
            ok && tsl_runner_run(&runner, &again, &run, NULL) && hash == tsl_trace_hash(&run.trace);
    }
    tsl_plan_drop(&plan);
    tsl_plan_drop(&again);
    tsl_run_drop(&run);
    return ok;
}

static bool has_race(const tsl_vm_program *program, void *limit) {
    tsl_vm_brute brute;
    bool yes =
        tsl_vm_brute_run(&brute, program, *(const uint64_t *)limit, true) && brute.races.len > 0;
    tsl_vm_brute_drop(&brute);
    return yes;
}

// Two accesses, with the steps that lead there: a thread created by a thread, a barrier for two.
static bool shrinks(const tsl_vm_program *program, uint64_t limit) {
    tsl_vm_program small = *program;
    if (!has_race(&small, &limit))
        return true;
    tsl_vm_shrink(&small, has_race, &limit);
    unsigned code = 0;
    for (unsigned t = 0; t < small.nthreads; t++)
        code += small.threads[t].len;
    return code <= 6;
}

// ---------------------------------------------------------------- all of them

static const char *wrong_with(suite *s, const tsl_vm_program *program, bool *fits) {
    tsl_vm_brute full, eager = {0};
    *fits = tsl_vm_brute_run(&full, program, s->limit, false);
    const char *what = !text_is_kept(program) ? "text" : NULL;
    if (*fits && !what) {
        tsl_vm_brute_run(&eager, program, s->limit, true);
        what = full.inconsistent                    ? "one class, two final states"
               : !same_brute(&full, &eager)         ? "eager"
               : !runs_are_known(s, program, &full) ? "canon or replay"
               : !shrinks(program, s->limit)        ? "shrink"
                                                    : NULL;
    }
    tsl_vm_brute_drop(&eager);
    tsl_vm_brute_drop(&full);
    return what;
}

static void run_profile(suite *s, unsigned profile) {
    const char *name = tsl_vm_profile_names[profile];
    const char *wrong = NULL;
    uint64_t done = 0;
    for (uint64_t seed = s->seed; !wrong && done < s->programs && seed < s->seed + 20 * s->programs;
         seed++) {
        tsl_vm_program program;
        bool fits;
        tsl_vm_generate(&program, profile, TSL_VM_SMALL, seed);
        wrong = wrong_with(s, &program, &fits);
        done += fits;
        if (wrong)
            printf("# seed %llu: %s\n", (unsigned long long)seed, wrong);
    }
    s->failed += wrong != NULL;
    printf("%sok %u - %s: %llu programs\n", wrong ? "not " : "", ++s->points, name,
           (unsigned long long)done);
    fflush(stdout);
}

int main(int argc, char **argv) {
    suite s = {.programs = 50, .seed = 1, .limit = 3000};
    const tsl_opt opts[] = {
        TSL_OPT_U64("programs", 'n', "N", &s.programs, "random programs of each profile"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_U64("limit", 'l', "N", &s.limit, "interleavings of a program at most"),
        TSL_OPT_END,
    };
    tsl_suite_options(opts, argc, argv);
    s.runner = tsl_vm_runner_new();
    for (unsigned p = 0; p < TSL_VM_SMALL_PROFILES; p++)
        run_profile(&s, p);
    run_profile(&s, TSL_VM_CANCELS);
    run_profile(&s, TSL_VM_KILLS);
    run_profile(&s, TSL_VM_EXITS);
    printf("1..%u\n", s.points);
    tsl_vm_runner_free(s.runner);
    return s.failed ? 1 : 0;
}
