// Is the dependence relation of abi/conflict.h right?
//
// If it calls two steps independent, their order must not matter.  Four rules are checked in every
// state that random model programs reach, for every two enabled threads p and q:
//
//     after     Run p, then q.  If the two steps are independent as they came out, then q can run
//               first with the same result, then p with the same result, and the state is the same.
//     sleeping  The same must hold for the steps as they come out in this very state (which is what
//               a runner knows of a sleeping step), if p does not wake q.
//     disabling If p stops q from running, the two must be dependent.
//     enabling  If p makes a step of q possible that was not, q must depend on p.
//
// EXIT is left out: it is enabled when no other thread can run, and it ends the run.
#include <stdio.h>
#include <string.h>

#include "base/set.h"
#include "oracle/corpus.h"
#include "oracle/suite.h"
#include "vm/generate.h"
#include "vm/machine.h"
#include "vm/naive.h"
#include "vm/shrink.h"
#include "vm/sleep.h"

enum { MAX_STATES = 20000 };

typedef struct suite {
    uint64_t programs, seed, states;
    const char *corpus, *failures, *profile;
    unsigned points, failed;
    bool table;
    uint64_t seen, pairs, independent, needless; // of one profile
    uint64_t needless_by[TSL_EV_COUNT][TSL_EV_COUNT];
    char failure[256];
} suite;

// One executed step.
typedef struct done {
    tsl_vm_machine after;
    tsl_events events;
    bool ran;
} done;

typedef struct check {
    suite *suite;
    const tsl_vm_program *program;
    TSL_VEC(tsl_vm_machine) todo;
    tsl_set seen;
    uint64_t states;
    done p, pq, q, qp;
    bool ok;
} check;

static void execute(done *to, const tsl_vm_machine *from, unsigned t, unsigned choice) {
    tsl_vm_copy(&to->after, from);
    tsl_vec_clear(&to->events);
    to->ran = !from->outcome && tsl_vm_is_enabled(from, t) && choice < tsl_vm_choices(from, t);
    if (to->ran)
        tsl_vm_execute(&to->after, t, choice, &to->events);
}

// ---------------------------------------------------------------- comparing

// Compares what the program sees of two steps, and what the events say of them.
static bool same_step(const tsl_events *a, const tsl_events *b) {
    tsl_vm_accesses x, y;
    const tsl_event *e = a->data, *f = b->data;
    tsl_vm_accesses_of(a->data, a->len, &x);
    tsl_vm_accesses_of(b->data, b->len, &y);
    bool counts = e->kind == TSL_EV_BARRIER_ARRIVE;
    if (e->kind != f->kind || e->addr != f->addr || e->arg != f->arg || x.n != y.n ||
        (e->res != f->res && !counts))
        return false;
    for (unsigned i = 1; i < x.n; i++)
        if (x.list[i].addr != y.list[i].addr || x.list[i].kind != y.list[i].kind ||
            x.list[i].res != y.list[i].res)
            return false;
    return true;
}

static bool same_state(const tsl_vm_machine *a, const tsl_vm_machine *b) {
    return tsl_vm_state(a) == tsl_vm_state(b);
}

static bool woke(const tsl_events *events, uint16_t thread) {
    for (size_t i = 0; i < events->len; i++)
        if (events->data[i].kind == TSL_EV_WAKE && events->data[i].res == thread)
            return true;
    return false;
}

// Do the accesses alone conflict?
static bool conflict(const tsl_events *first, const tsl_events *second) {
    tsl_vm_accesses x, y;
    tsl_vm_accesses_of(first->data, first->len, &x);
    tsl_vm_accesses_of(second->data, second->len, &y);
    for (unsigned i = 0; i < x.n; i++)
        for (unsigned j = 0; j < y.n; j++)
            if (tsl_access_conflict(&x.list[i], &y.list[j]))
                return true;
    return false;
}

// Threads that leave a round wait for the arrival that completes the round.
static bool fills(const tsl_events *first, const tsl_events *second) {
    return first->data[0].kind == TSL_EV_BARRIER_ARRIVE &&
           second->data[0].kind == TSL_EV_BARRIER_LEAVE &&
           first->data[0].addr == second->data[0].addr && first->data[0].res == 0;
}

static bool creates(const tsl_events *first, const tsl_events *second) {
    return first->data[0].kind == TSL_EV_CREATE && second->data[0].kind == TSL_EV_START &&
           first->data[0].addr == second->data[0].addr;
}

static void wrong(check *c, const char *rule, const tsl_events *p, const tsl_events *q) {
    if (c->ok)
        snprintf(c->suite->failure, sizeof c->suite->failure,
                 "%s: %s (T%u, 0x%llx, result %u) and %s (T%u, 0x%llx, result %u)", rule,
                 tsl_event_name(p->data[0].kind), p->data[0].thread,
                 (unsigned long long)p->data[0].addr, p->data[0].res,
                 tsl_event_name(q->data[0].kind), q->data[0].thread,
                 (unsigned long long)q->data[0].addr, q->data[0].res);
    c->ok = false;
}

// ---------------------------------------------------------------- one pair

static bool commutes(const check *c) {
    return c->pq.ran && c->q.ran && c->qp.ran && same_step(&c->pq.events, &c->q.events) &&
           same_step(&c->p.events, &c->qp.events) && same_state(&c->pq.after, &c->qp.after);
}

static void check_pair(check *c, const tsl_vm_machine *m, unsigned p, unsigned pc, unsigned q,
                       unsigned qc) {
    execute(&c->p, m, p, pc);
    execute(&c->q, m, q, qc);
    execute(&c->pq, &c->p.after, q, qc);
    execute(&c->qp, &c->q.after, p, pc);
    uint16_t q_number = c->program->threads[q].number;
    if (c->p.after.outcome == TSL_OUT_OK || (c->pq.ran && c->pq.events.data[0].kind == TSL_EV_EXIT))
        return;
    c->suite->pairs++;
    bool good = commutes(c);
    if (c->pq.ran) {
        bool enables = !c->q.ran &&
                       (fills(&c->p.events, &c->pq.events) || creates(&c->p.events, &c->pq.events));
        bool dependent =
            conflict(&c->p.events, &c->pq.events) || woke(&c->p.events, q_number) || enables;
        if (!dependent && !good)
            wrong(c, c->q.ran ? "after" : "enabling", &c->p.events, &c->pq.events);
        c->suite->independent += !dependent;
        c->suite->needless += dependent && good;
        c->suite->needless_by[c->p.events.data[0].kind][c->pq.events.data[0].kind] +=
            dependent && good;
    }
    if (c->q.ran) {
        bool dependent = conflict(&c->q.events, &c->p.events);
        if (!dependent && !good)
            wrong(c, c->pq.ran ? "sleeping" : "disabling", &c->p.events, &c->q.events);
    }
}

static void check_state(check *c, const tsl_vm_machine *m) {
    unsigned n = c->program->nthreads;
    for (unsigned p = 0; p < n; p++) {
        unsigned pn = tsl_vm_is_enabled(m, p) ? tsl_vm_choices(m, p) : 0;
        for (unsigned pc = 0; pc < pn; pc++)
            for (unsigned q = 0; q < n; q++)
                for (unsigned qc = 0; q != p && qc < 3; qc++)
                    check_pair(c, m, p, pc, q, qc);
    }
}

// ---------------------------------------------------------------- all states

static void add(check *c, const tsl_vm_machine *m) {
    if (!m->outcome && tsl_set_insert(&c->seen, tsl_vm_state(m)))
        tsl_vec_push(&c->todo, *m);
}

static bool check_program(const tsl_vm_program *program, void *context) {
    check c = {.suite = context, .program = program, .ok = true};
    tsl_vm_machine m;
    tsl_vm_begin(&m, program, program->spurious, NULL, &c.p.events);
    add(&c, &m);
    while (c.todo.len && c.ok && c.states++ < c.suite->states) {
        tsl_vm_copy(&m, &tsl_vec_pop(&c.todo));
        check_state(&c, &m);
        for (unsigned t = 0; t < program->nthreads; t++)
            for (unsigned i = 0; tsl_vm_is_enabled(&m, t) && i < tsl_vm_choices(&m, t); i++) {
                execute(&c.p, &m, t, i);
                add(&c, &c.p.after);
            }
    }
    c.suite->seen += c.states;
    tsl_vec_drop(&c.todo);
    tsl_set_drop(&c.seen);
    tsl_vec_drop(&c.p.events);
    tsl_vec_drop(&c.q.events);
    tsl_vec_drop(&c.pq.events);
    tsl_vec_drop(&c.qp.events);
    return !c.ok; // the shrinker asks: does it fail?
}

static void tell(suite *s, const tsl_vm_program *program, const char *name) {
    printf("# %s: %s\n", name, s->failure);
    tsl_vm_program small = *program;
    tsl_vm_shrink(&small, check_program, s);
    check_program(&small, s);
    tsl_buf text = {0};
    tsl_vm_program_print(&small, &text);
    printf("# after shrinking: %s\n%s", s->failure, tsl_buf_text(&text));
    tsl_buf_drop(&text);
    char path[512];
    snprintf(path, sizeof path, "%s/dependence-%s.vm", s->failures, name);
    tsl_err err = {0};
    printf("# %s\n", tsl_corpus_keep(path, &small, s->failure, &err) ? path : err.text);
}

static void point(suite *s, bool ok, const char *name, uint64_t programs) {
    s->failed += !ok;
    printf("%sok %u - %s: %llu programs, %llu states, %llu pairs, %llu independent, "
           "%llu dependent for nothing\n",
           ok ? "" : "not ", ++s->points, name, (unsigned long long)programs,
           (unsigned long long)s->seen, (unsigned long long)s->pairs,
           (unsigned long long)s->independent, (unsigned long long)s->needless);
    s->seen = s->pairs = s->independent = s->needless = 0;
    fflush(stdout);
}

// Counts the pairs for which a finer relation would save something.
static void print_table(const suite *s) {
    for (unsigned i = 0; i < TSL_EV_COUNT; i++)
        for (unsigned j = 0; j < TSL_EV_COUNT; j++)
            if (s->needless_by[i][j])
                printf("# %8llu %s, %s\n", (unsigned long long)s->needless_by[i][j],
                       tsl_event_name(i), tsl_event_name(j));
}

static void run_profile(suite *s, unsigned profile) {
    const char *name = tsl_vm_profile_names[profile];
    bool ok = true;
    uint64_t done = 0;
    for (; ok && done < s->programs; done++) {
        tsl_vm_program program;
        uint64_t seed = s->seed + done;
        tsl_vm_generate(&program, profile, seed & 1 ? TSL_VM_SMALL : TSL_VM_LARGE, seed);
        ok = !check_program(&program, s);
        char text[64];
        snprintf(text, sizeof text, "%s-%llu", name, (unsigned long long)seed);
        if (!ok)
            tell(s, &program, text);
    }
    point(s, ok, name, done);
}

static bool run_corpus(suite *s, tsl_err *err) {
    tsl_corpus corpus;
    if (!tsl_corpus_open(&corpus, s->corpus, err))
        return false;
    bool ok = true, good = true;
    for (size_t i = 0; ok && i < corpus.n; i++) {
        tsl_vm_program program;
        ok = tsl_vm_program_load(corpus.paths[i], &program, err);
        if (ok && check_program(&program, s)) {
            good = false;
            printf("# %s: %s\n", corpus.paths[i], s->failure);
        }
    }
    point(s, ok && good, "corpus", corpus.n);
    tsl_corpus_drop(&corpus);
    return ok;
}

int main(int argc, char **argv) {
    static suite s = {.programs = 200,
                      .seed = 1,
                      .states = MAX_STATES,
                      .corpus = "tests/vm/corpus",
                      .failures = "/tmp"};
    const tsl_opt opts[] = {
        TSL_OPT_U64("programs", 'n', "N", &s.programs, "random programs of each profile"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_U64("states", 0, "N", &s.states, "states of a program at most"),
        TSL_OPT_FLAG("table", 0, &s.table, "which steps are dependent and yet commute"),
        TSL_OPT_STRING("profile", 0, "NAME", &s.profile, "only this one"),
        TSL_OPT_STRING("corpus", 0, "FOLDER", &s.corpus, "programs that come first"),
        TSL_OPT_STRING("failures", 0, "FOLDER", &s.failures, "where failing programs go"),
        TSL_OPT_END,
    };
    tsl_suite_options(opts, argc, argv);
    tsl_err err = {0};
    bool ok = run_corpus(&s, &err);
    for (unsigned p = 0; ok && p < TSL_VM_PROFILE_COUNT; p++)
        if (!s.profile || strcmp(s.profile, tsl_vm_profile_names[p]) == 0)
            run_profile(&s, p);
    if (ok && (!s.profile || strcmp(s.profile, "cancels") == 0))
        run_profile(&s, TSL_VM_CANCELS);
    if (ok && (!s.profile || strcmp(s.profile, "kills") == 0))
        run_profile(&s, TSL_VM_KILLS);
    if (ok && (!s.profile || strcmp(s.profile, "opaques") == 0))
        run_profile(&s, TSL_VM_OPAQUES);
    if (s.table)
        print_table(&s);
    if (ok)
        printf("1..%u\n", s.points);
    else
        printf("Bail out! %s\n", err.text);
    return !ok || s.failed ? 1 : 0;
}
