// Does a search under a bound on preemptions see exactly those classes that have an interleaving
// with at most that many?  Brute force knows which these are.
#include <stdio.h>
#include <string.h>

#include "explore/strategy.h"
#include "oracle/oracle.h"
#include "oracle/suite.h"
#include "vm/generate.h"

enum { MOST = 3 };

typedef struct suite {
    uint64_t programs, seed, limit;
    unsigned points, failed;
    tsl_oracle *oracle;
} suite;

static bool check(suite *s, const tsl_vm_program *program, const tsl_vm_brute *brute,
                  const tsl_strategy_kind *kind, int bound, uint64_t seed) {
    // With a growing bound the same class comes up again in every round.
    for (int iterate = 0; iterate < 2; iterate++) {
        tsl_oracle_options options = {.preemptions = bound,
                                      .ends_only = tsl_vm_program_has_loops(program),
                                      .iterate = iterate != 0,
                                      .max_executions = 1000000};
        tsl_oracle_report report;
        if (tsl_oracle_strategy(s->oracle, program, brute, kind, &options, &report))
            continue;
        printf("# seed %llu, %s, at most %d%s: %s\n", (unsigned long long)seed, kind->name, bound,
               iterate ? ", in rounds" : "", report.failure);
        return false;
    }
    return true;
}

static void run_profile(suite *s, unsigned profile, const tsl_strategy_kind *kind) {
    uint64_t done = 0;
    bool ok = true;
    for (uint64_t seed = s->seed; ok && done < s->programs; seed++) {
        tsl_vm_program program;
        tsl_vm_brute brute;
        tsl_vm_generate(&program, profile, TSL_VM_SMALL, seed);
        bool known = profile == TSL_VM_WAITS ? tsl_vm_brute_spin(&brute, &program, s->limit, MOST)
                                             : tsl_vm_brute_run(&brute, &program, s->limit, false);
        if (known) {
            done++;
            for (int bound = 0; ok && bound <= MOST; bound++)
                ok = check(s, &program, &brute, kind, bound, seed);
        }
        tsl_vm_brute_drop(&brute);
    }
    s->failed += !ok;
    printf("%sok %u - %s %s: %llu programs\n", ok ? "" : "not ", ++s->points, kind->name,
           tsl_vm_profile_names[profile], (unsigned long long)done);
    fflush(stdout);
}

int main(int argc, char **argv) {
    suite s = {.programs = 50, .seed = 1, .limit = 2000};
    const tsl_opt opts[] = {
        TSL_OPT_U64("programs", 'n', "N", &s.programs, "random programs of each profile"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_U64("limit", 'l', "N", &s.limit, "interleavings of a program at most"),
        TSL_OPT_END,
    };
    tsl_suite_options(opts, argc, argv);
    s.oracle = tsl_oracle_new();
    for (unsigned p = 0; p < TSL_VM_SMALL_PROFILES; p++) {
        run_profile(&s, p, &tsl_strategy_dfs);
        run_profile(&s, p, &tsl_bounded_optimal);
    }
    run_profile(&s, TSL_VM_CANCELS, &tsl_strategy_dfs);
    run_profile(&s, TSL_VM_CANCELS, &tsl_bounded_optimal);
    run_profile(&s, TSL_VM_KILLS, &tsl_bounded_optimal);
    run_profile(&s, TSL_VM_EXITS, &tsl_strategy_dfs);
    run_profile(&s, TSL_VM_EXITS, &tsl_bounded_optimal);
    run_profile(&s, TSL_VM_WAITS, &tsl_strategy_dfs);
    run_profile(&s, TSL_VM_WAITS, &tsl_bounded_optimal);
    printf("1..%u\n", s.points);
    tsl_oracle_free(s.oracle);
    return s.failed != 0;
}
