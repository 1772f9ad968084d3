// Do the happens-before and the hashes of src/model agree with a naive twin?
//
//     before    for every two steps, clocks say what the transitive closure says
//     hash      two runs have equal hashes if and only if their canonical forms are equal
//     cut       a history that is cut and extended is the same as one made from the beginning
//     sync      for every two steps, the clocks of C11 (model/sync.h) say what its definition
//               (vm/c11.h) says, and the same steps race
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "model/sync.h"
#include "oracle/suite.h"
#include "vm/c11.h"
#include "vm/generate.h"
#include "vm/naive.h"
#include "vm/runner.h"

enum { RUNS = 12 };

typedef struct suite {
    uint64_t programs, seed;
    unsigned points, failed;
    tsl_vm_runner *runner;
    tsl_rng rng;
} suite;

static bool same_order(const tsl_history *h, const tsl_trace *trace) {
    tsl_naive naive;
    tsl_naive_trace(&naive, trace);
    size_t n = h->steps.len;
    bool ok = naive.steps.len == n;
    for (size_t j = 0; ok && j < n; j++)
        for (size_t i = 0; ok && i < j; i++) {
            // EXIT happens after all other steps, which the naive definition leaves out.
            bool exits = h->steps.data[j].kind == TSL_EV_EXIT;
            ok = exits || tsl_history_before(h, (uint32_t)i, (uint32_t)j) ==
                              tsl_naive_is_before(&naive, i, j);
            if (!ok)
                printf("# steps %zu and %zu\n", i, j);
        }
    tsl_naive_drop(&naive);
    return ok;
}

static bool same_races(const tsl_sync *sync, const tsl_c11 *c11) {
    size_t n = sync->races.len;
    const tsl_step_list *found = &sync->races;
    if (!sync->by_races) // of each thread only the last unordered step is kept
        return n <= c11->unordered.len && (n > 0) == (c11->unordered.len > 0);
    if (n != c11->first.len)
        return false;
    for (size_t i = 0; i < n; i++)
        if (found->data[i] != c11->first.data[n - 1 - i]) // the latest first
            return false;
    return true;
}

static bool same_sync(const tsl_history *h, const tsl_trace *trace, bool by_races) {
    tsl_naive naive;
    tsl_c11 c11;
    tsl_sync sync;
    tsl_naive_trace(&naive, trace);
    tsl_c11_init(&c11, naive.steps.len);
    tsl_sync_init(&sync, by_races);
    bool ok = true;
    for (uint32_t j = 0; ok && j < h->steps.len; j++) {
        tsl_c11_push(&c11, &naive);
        tsl_sync_read(&sync, h, j);
        ok = same_races(&sync, &c11);
        for (uint32_t i = 0; ok && i < j; i++)
            ok = tsl_sync_before(&sync, h, i, j) == tsl_c11_before(&c11, i, j, by_races);
        if (!ok)
            printf("# step %u\n", j);
    }
    tsl_naive_drop(&naive);
    tsl_c11_drop(&c11);
    tsl_sync_drop(&sync);
    return ok;
}

static const char *wrong_with(suite *s, const tsl_vm_program *program) {
    tsl_runner runner = tsl_vm_runner_interface(s->runner);
    tsl_plan plan;
    tsl_run run = {0};
    tsl_history h;
    uint64_t hashes[RUNS], canons[RUNS];
    const char *wrong = NULL;
    tsl_plan_init(&plan);
    tsl_history_init(&h);
    plan.policy = TSL_POLICY_RANDOM;
    plan.flags = TSL_PLAN_SYMBOLIC | (program->spurious ? TSL_PLAN_SPURIOUS : 0);
    plan.max_branches = 1000;
    tsl_vm_runner_load(s->runner, program);
    for (unsigned r = 0; r < RUNS && !wrong; r++) {
        plan.seed = plan.input_seed = r;
        if (!tsl_runner_run(&runner, &plan, &run, NULL))
            wrong = "run";
        tsl_history_cut(&h, 0);
        tsl_history_read(&h, &run);
        hashes[r] = tsl_history_hash(&h);
        canons[r] = tsl_naive_canon(&run.trace);
        if (!wrong && !same_order(&h, &run.trace))
            wrong = "before";
        if (!wrong && !(same_sync(&h, &run.trace, false) && same_sync(&h, &run.trace, true)))
            wrong = "sync";
        tsl_history_cut(&h, tsl_rng_below(&s->rng, h.steps.len + 1));
        tsl_history_read(&h, &run);
        if (!wrong && (tsl_history_hash(&h) != hashes[r] || !same_order(&h, &run.trace)))
            wrong = "cut";
        for (unsigned q = 0; q < r && !wrong; q++)
            if ((hashes[q] == hashes[r]) != (canons[q] == canons[r]))
                wrong = "hash";
    }
    tsl_history_drop(&h);
    tsl_run_drop(&run);
    tsl_plan_drop(&plan);
    return wrong;
}

static void run_profile(suite *s, unsigned profile, unsigned size) {
    const char *wrong = NULL;
    for (uint64_t seed = s->seed; !wrong && seed < s->seed + s->programs; seed++) {
        tsl_vm_program program;
        tsl_vm_generate(&program, profile, size, seed);
        wrong = wrong_with(s, &program);
        if (wrong)
            printf("# seed %llu: %s\n", (unsigned long long)seed, wrong);
    }
    s->failed += wrong != NULL;
    printf("%sok %u - %s%s\n", wrong ? "not " : "", ++s->points, tsl_vm_profile_names[profile],
           size == TSL_VM_SMALL ? "" : ", large");
    fflush(stdout);
}

// Two steps made by hand, in both orders.
static void run_opaque(suite *s) {
    static tsl_trace_head head;
    const tsl_event opaque = {.kind = TSL_EV_ASM, .thread = 1};
    const tsl_event write = {.kind = TSL_EV_WRITE, .thread = 2, .addr = 0x10000, .arg = 3};
    const tsl_event orders[2][2] = {{opaque, write}, {write, opaque}};
    bool ok = true;
    for (unsigned i = 0; i < 2; i++) {
        tsl_run run = {0};
        tsl_run_take(&run, &(tsl_trace){.head = &head, .events = orders[i], .nevents = 2}, NULL);
        tsl_history h;
        tsl_history_init(&h);
        tsl_history_read(&h, &run);
        ok &= h.steps.len == 2 && tsl_history_before(&h, 0, 1);
        tsl_history_drop(&h);
        tsl_run_drop(&run);
    }
    s->failed += !ok;
    printf("%sok %u - what may touch anything depends on everything\n", ok ? "" : "not ",
           ++s->points);
}

int main(int argc, char **argv) {
    suite s = {.programs = 200, .seed = 1};
    const tsl_opt opts[] = {
        TSL_OPT_U64("programs", 'n', "N", &s.programs, "random programs of each profile"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_END,
    };
    tsl_suite_options(opts, argc, argv);
    s.runner = tsl_vm_runner_new();
    tsl_rng_init(&s.rng, s.seed);
    for (unsigned p = 0; p < TSL_VM_SMALL_PROFILES; p++)
        for (unsigned size = TSL_VM_SMALL; size <= TSL_VM_LARGE; size++)
            run_profile(&s, p, size);
    for (unsigned size = TSL_VM_SMALL; size <= TSL_VM_LARGE; size++) {
        run_profile(&s, TSL_VM_CANCELS, size);
        run_profile(&s, TSL_VM_KILLS, size);
        run_profile(&s, TSL_VM_EXITS, size);
        run_profile(&s, TSL_VM_ORDERS, size);
        run_profile(&s, TSL_VM_OPAQUES, size);
    }
    run_opaque(&s);
    printf("1..%u\n", s.points);
    tsl_vm_runner_free(s.runner);
    return s.failed != 0;
}
