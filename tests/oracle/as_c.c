// Writes model programs as C, together with what brute force knows of them.
//
//     as_c --profile NAME [--programs N] [--seed S] [--limit N] --out FILE.c
//     as_c --program FILE --out FILE.c
//
// The result is one C file with N programs, of which its argument chooses one.  For each program a
// line of JSON is printed: the seed, whether waits may wake spuriously, the number of orders, how
// many of them have which outcome, and which pairs of lines race.  tests/compiled/run asks Teasel
// for the same.
#include <stdio.h>
#include <string.h>

#include "abi/wire.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/opt.h"
#include "trace/trace.h"
#include "vm/brute.h"
#include "vm/emit.h"
#include "vm/generate.h"

typedef struct maker {
    uint64_t programs, seed, limit;
    const char *profile, *program, *path;
    unsigned made;
    tsl_buf code;
} maker;

static void print_outcomes(const tsl_vm_brute *brute) {
    uint64_t counts[TSL_OUT_COUNT] = {0};
    for (size_t i = 0; i < brute->classes.len; i++)
        counts[brute->classes.data[i].outcome]++;
    const char *comma = "";
    for (unsigned i = 0; i < TSL_OUT_COUNT; i++)
        if (counts[i]) {
            printf("%s\"%s\": %llu", comma, tsl_outcome_kind(i), (unsigned long long)counts[i]);
            comma = ", ";
        }
}

static void print_facts(const maker *g, const tsl_vm_program *program, const tsl_vm_brute *brute,
                        uint64_t seed) {
    printf("{\"seed\": %llu, \"spurious\": %s, \"classes\": %zu, \"outcomes\": {",
           (unsigned long long)seed, program->spurious ? "true" : "false", brute->classes.len);
    print_outcomes(brute);
    printf("}, \"races\": [");
    unsigned base = g->made * TSL_VM_EMIT_LINES;
    for (size_t i = 0; i < brute->first.len; i++)
        printf("%s[%u, %u]", i ? ", " : "", base + brute->first.data[i].low,
               base + brute->first.data[i].high);
    printf("]}\n");
}

static void add(maker *g, const tsl_vm_program *program, uint64_t seed) {
    tsl_vm_brute brute = {0};
    if (tsl_vm_can_emit(program) && tsl_vm_brute_races(&brute, program, g->limit)) {
        print_facts(g, program, &brute, seed);
        tsl_vm_emit(program, g->made++, &g->code);
    }
    tsl_vm_brute_drop(&brute);
}

static bool find_profile(const char *name, unsigned *profile, tsl_err *err) {
    for (*profile = 0; tsl_vm_profile_names[*profile]; ++*profile)
        if (name && strcmp(name, tsl_vm_profile_names[*profile]) == 0)
            return true;
    return tsl_fail(err, TSL_EUSAGE, "no profile %s", name ? name : "");
}

static bool make(maker *g, tsl_err *err) {
    tsl_vm_program program;
    tsl_vm_emit_head(&g->code);
    if (g->program) {
        if (!tsl_vm_program_load(g->program, &program, err))
            return false;
        add(g, &program, 0);
        return g->made || tsl_fail(err, TSL_EINPUT, "%s: C has no such program", g->program);
    }
    unsigned profile;
    if (!find_profile(g->profile, &profile, err))
        return false;
    for (uint64_t seed = g->seed; g->made < g->programs && seed < g->seed + 50 * g->programs;
         seed++) {
        memset(&program, 0, sizeof program);
        tsl_vm_generate(&program, profile, TSL_VM_SMALL, seed);
        add(g, &program, seed);
    }
    return g->made || tsl_fail(err, TSL_EUSAGE, "C has no program of profile %s", g->profile);
}

int main(int argc, char **argv) {
    maker g = {.programs = 20, .seed = 1, .limit = 3000};
    const tsl_opt opts[] = {
        TSL_OPT_STRING("profile", 0, "NAME", &g.profile, "of the random programs"),
        TSL_OPT_U64("programs", 'n', "N", &g.programs, "how many"),
        TSL_OPT_U64("seed", 's', "N", &g.seed, "seed of the first"),
        TSL_OPT_U64("limit", 'l', "N", &g.limit, "interleavings of a program at most"),
        TSL_OPT_STRING("program", 0, "FILE", &g.program, "this model program instead"),
        TSL_OPT_STRING("out", 'o', "FILE", &g.path, "the C file"),
        TSL_OPT_END,
    };
    tsl_words words = {0};
    tsl_err err = {0};
    bool ok = tsl_opt_parse(opts, argc - 1, argv + 1, &words, NULL, &err) &&
              (g.path || tsl_fail(&err, TSL_EUSAGE, "--out is missing")) && make(&g, &err);
    if (ok) {
        tsl_vm_emit_main(g.made, &g.code);
        FILE *file = fopen(g.path, "w");
        ok = file && fputs(tsl_buf_text(&g.code), file) >= 0;
        ok = (file && fclose(file) == 0 && ok) || tsl_fail(&err, TSL_EIO, "%s", g.path);
    }
    if (!ok)
        fprintf(stderr, "as_c: %s\n", err.text);
    tsl_buf_drop(&g.code);
    tsl_vec_drop(&words);
    return !ok;
}
