// A strategy against brute force; see oracle.h.
#include "oracle/oracle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "explore/inputs.h"
#include "vm/naive.h"

enum { IN_FLIGHT = 16 };

struct tsl_oracle {
    tsl_vm_runner *runner;
    tsl_plan plans[IN_FLIGHT]; // a ring
    tsl_run run;               // collected last
    size_t first, count;
    tsl_vm_hashes canons, finals, deadlocks, rejected, ends; // what the strategy saw
    tsl_vm_hashes wanted;
    uint64_t shuffle;
    unsigned workers;
};

tsl_oracle *tsl_oracle_new(void) {
    tsl_oracle *o = tsl_alloc(sizeof *o);
    o->runner = tsl_vm_runner_new();
    for (unsigned i = 0; i < IN_FLIGHT; i++)
        tsl_plan_init(&o->plans[i]);
    return o;
}

void tsl_oracle_free(tsl_oracle *o) {
    tsl_vm_runner_free(o->runner);
    for (unsigned i = 0; i < IN_FLIGHT; i++)
        tsl_plan_drop(&o->plans[i]);
    tsl_run_drop(&o->run);
    tsl_vec_drop(&o->canons);
    tsl_vec_drop(&o->finals);
    tsl_vec_drop(&o->deadlocks);
    tsl_vec_drop(&o->rejected);
    tsl_vec_drop(&o->ends);
    tsl_vec_drop(&o->wanted);
    tsl_free(o);
}

void tsl_oracle_shuffle(tsl_oracle *o, uint64_t seed) { o->shuffle = seed; }

void tsl_oracle_workers(tsl_oracle *o, unsigned workers) { o->workers = workers; }

static bool fail(tsl_oracle_report *report, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(tsl_oracle_report *report, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    if (!report->failure[0])
        vsnprintf(report->failure, sizeof report->failure, fmt, args);
    va_end(args);
    return false;
}

// ---------------------------------------------------------------- running

static void forget(tsl_oracle *o) {
    tsl_vec_clear(&o->canons);
    tsl_vec_clear(&o->finals);
    tsl_vec_clear(&o->deadlocks);
    tsl_vec_clear(&o->rejected);
    tsl_vec_clear(&o->ends);
}

static bool see(tsl_oracle *o, tsl_strategy *strategy, const tsl_run *run,
                tsl_oracle_report *report) {
    report->executions++;
    if (strategy->ignored)
        return true;
    if (strategy->begun_again) {
        strategy->begun_again = false;
        report->coarse = true;
        forget(o);
        report->blocked = 0;
        return true;
    }
    if (strategy->redundant) {
        report->blocked++;
        return true;
    }
    switch (run->outcome) {
    case TSL_OUT_REDUNDANT:
        report->blocked++;
        return true;
    case TSL_OUT_STOPPED:
        report->stopped++;
        return true;
    case TSL_OUT_OK:
    case TSL_OUT_DEADLOCK:
    case TSL_OUT_LIVELOCK:
    case TSL_OUT_SPUN:
    case TSL_OUT_REJECTED:
        break;
    default:
        return fail(report, "run %llu: %s", (unsigned long long)report->executions,
                    tsl_outcome_headline(run->outcome));
    }
    uint64_t final = tsl_vm_runner_final(o->runner);
    tsl_vec_push(&o->canons, tsl_naive_canon(&run->trace));
    tsl_vec_push(&o->finals, final);
    if (run->outcome != TSL_OUT_SPUN)
        tsl_vec_push(&o->ends, tsl_vm_runner_outline(o->runner));
    if (run->outcome == TSL_OUT_DEADLOCK || run->outcome == TSL_OUT_LIVELOCK)
        tsl_vec_push(&o->deadlocks, final);
    if (run->outcome == TSL_OUT_REJECTED)
        tsl_vec_push(&o->rejected, final);
    return true;
}

static void check(const tsl_strategy *strategy) {
    if (strategy->kind->check)
        strategy->kind->check(strategy);
}

// Submits what the strategy offers.  Returns false once the strategy is done.
static bool feed(tsl_oracle *o, const tsl_runner *runner, tsl_strategy *strategy) {
    while (o->count < IN_FLIGHT && runner->room(runner->self)) {
        tsl_plan *plan = &o->plans[(o->first + o->count) % IN_FLIGHT];
        enum tsl_next next = strategy->kind->next(strategy, plan);
        check(strategy);
        if (next != TSL_NEXT_PLAN)
            return next != TSL_NEXT_DONE;
        runner->submit(runner->self, plan, NULL);
        o->count++;
    }
    return true;
}

static bool run(tsl_oracle *o, tsl_strategy *strategy, uint64_t most, tsl_oracle_report *report) {
    tsl_runner runner = tsl_vm_runner_interface(o->runner);
    bool more = true;
    for (;;) {
        more = more && feed(o, &runner, strategy);
        if (!o->count)
            return !more || fail(report, "the strategy waits for ever");
        tsl_runner_collect(&runner, &o->run, tsl_strategy_known(strategy), NULL);
        tsl_run_check(&o->run);
        strategy->kind->learn(strategy, &o->plans[o->first], &o->run);
        check(strategy);
        if (!see(o, strategy, &o->run, report))
            return false;
        if (report->executions > most)
            return fail(report, "no end after %llu runs", (unsigned long long)most);
        o->first = (o->first + 1) % IN_FLIGHT;
        o->count--;
    }
}

// ---------------------------------------------------------------- comparing

// Both sorted.  How many of a are not in b?
static size_t missing(const tsl_vm_hashes *a, const tsl_vm_hashes *b) {
    size_t n = 0, j = 0;
    for (size_t i = 0; i < a->len; i++) {
        while (j < b->len && b->data[j] < a->data[i])
            j++;
        n += j == b->len || b->data[j] != a->data[i];
    }
    return n;
}

static bool same(const tsl_vm_hashes *wanted, const tsl_vm_hashes *seen, bool may_exceed,
                 const char *what, tsl_oracle_report *report) {
    size_t lost = missing(wanted, seen), invented = may_exceed ? 0 : missing(seen, wanted);
    if (!lost && !invented)
        return true;
    return fail(report, "%s: %zu of %zu were missed, %zu of %zu do not exist", what, lost,
                wanted->len, invented, seen->len);
}

// With loops that wait, only the ends of runs are compared under a bound on preemptions: the
// strategy must see every end that exists within the bound, and none that does not exist at all.
static bool compare_ends(tsl_oracle *o, const tsl_vm_brute *brute, uint32_t preemptions,
                         tsl_oracle_report *report) {
    tsl_vm_hashes_tidy(&o->ends);
    tsl_vec_clear(&o->wanted);
    for (size_t i = 0; i < brute->classes.len; i++)
        if (brute->classes.data[i].preemptions <= preemptions)
            tsl_vec_push(&o->wanted, brute->classes.data[i].end);
    tsl_vm_hashes_tidy(&o->wanted);
    return same(&o->wanted, &o->ends, false, "ends", report);
}

static bool compare(tsl_oracle *o, const tsl_vm_brute *brute, const tsl_oracle_options *options,
                    tsl_oracle_report *report) {
    size_t complete = o->canons.len;
    bool bounded = options->preemptions >= 0;
    tsl_vm_hashes_tidy(&o->canons);
    tsl_vm_hashes_tidy(&o->finals);
    tsl_vm_hashes_tidy(&o->deadlocks);
    tsl_vm_hashes_tidy(&o->rejected);
    report->duplicates = complete - o->canons.len;
    report->classes = o->canons.len;
    tsl_vm_brute_bounded(brute, bounded ? (uint32_t)options->preemptions : UINT32_MAX, &o->wanted);
    report->wanted = o->wanted.len;
    bool ok = same(&o->wanted, &o->canons, bounded && options->may_exceed, "classes", report);
    if (!bounded)
        ok = ok && same(&brute->finals, &o->finals, false, "final states", report) &&
             same(&brute->deadlocks, &o->deadlocks, false, "deadlocks", report) &&
             same(&brute->rejected, &o->rejected, false, "rejected runs", report);
    if (ok && options->every_interleaving && complete != brute->interleavings)
        ok = fail(report, "%zu runs for %llu interleavings", complete,
                  (unsigned long long)brute->interleavings);
    bool may_repeat = report->coarse; // with that relation one order may count as several
    if (ok && (options->optimal || options->no_duplicates) && report->duplicates && !may_repeat)
        ok = fail(report, "%llu of %zu runs were duplicates",
                  (unsigned long long)report->duplicates, complete);
    if (ok && options->optimal && report->blocked)
        ok = fail(report, "%llu of %llu runs were redundant", (unsigned long long)report->blocked,
                  (unsigned long long)report->executions);
    return ok;
}

// Was the solver asked about every branch, and did every run go the way its inputs should lead?
static bool knows_inputs(const tsl_strategy *strategy, tsl_oracle_report *report) {
    if (strategy->diverged)
        return fail(report, "%llu runs did not begin as planned",
                    (unsigned long long)strategy->diverged);
    if (!strategy->inputs)
        return true;
    report->infeasible = strategy->inputs->infeasible;
    if (strategy->mispredicted)
        return fail(report, "%llu runs went another way",
                    (unsigned long long)strategy->mispredicted);
    return (!strategy->inputs->unknown && !strategy->inputs->optimistic) ||
           fail(report, "the solver did not know");
}

bool tsl_oracle_strategy(tsl_oracle *o, const tsl_vm_program *program, const tsl_vm_brute *brute,
                         const tsl_strategy_kind *kind, const tsl_oracle_options *options,
                         tsl_oracle_report *report) {
    *report = (tsl_oracle_report){0};
    tsl_vm_runner_load(o->runner, program);
    o->first = o->count = 0;
    forget(o);
    tsl_search search = {.seed = o->shuffle,
                         .workers = o->workers,
                         .max_steps = 10000,
                         .flags = program->spurious ? TSL_PLAN_SPURIOUS : 0,
                         .random_order = o->shuffle != 0,
                         .preemptions = options->preemptions,
                         .iterate = options->iterate,
                         .max_branches = 1000,
                         .solver = {.check = true}};
    uint64_t most = options->max_executions ? options->max_executions
                    : brute->eager          ? 1000000
                                            : 100 + 4 * brute->interleavings;
    tsl_strategy *strategy = kind->new (&search);
    bool ok = run(o, strategy, most, report) && knows_inputs(strategy, report);
    report->unsure = tsl_claim_is_weakened(&strategy->claim);
    kind->free(strategy);
    if (options->ends_only)
        return ok && compare_ends(o, brute, (uint32_t)options->preemptions, report);
    return ok && compare(o, brute, options, report);
}
