// Are simplified terms right, and are the solver's answers true?
//
//     terms     a simplified term has the value of the plain one, computed bit by bit
//     ranges    the range of a term contains every value that it can have when its operands are
//               within their ranges, and the same holds backwards
//     brute     answers about a few bits are those that trying all values gives, whichever link of
//               the solver is left out
//     wide      answers about words are those of Z3, and models satisfy the question
//     z3        the z3 program gives the logged answer to a logged question
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "expr/eval.h"
#include "expr/print.h"
#include "oracle/suite.h"
#include "oracle/twin.h"
#include "solve/range.h"
#include "solve/solver.h"

typedef struct suite {
    uint64_t cases, seed;
    unsigned points, failed;
    uint64_t asked[3]; // how many questions had each answer
} suite;

static void report(suite *s, bool ok, const char *what, uint64_t cases) {
    s->failed += !ok;
    printf("%sok %u - %s: %llu cases\n", ok ? "" : "not ", ++s->points, what,
           (unsigned long long)cases);
    fflush(stdout);
}

static const char *const kind_names[] = {"tiny", "C", "any"};

// ---------------------------------------------------------------- terms

static void say_term(const tsl_terms *terms, tsl_term t) {
    tsl_buf text = {0};
    tsl_print_term(terms, t, NULL, &text);
    printf("# %s\n", tsl_buf_text(&text));
    tsl_buf_drop(&text);
}

static bool same_values(const tsl_twin *twin, const tsl_terms *terms, const tsl_term *built,
                        tsl_evaluator *ev, const tsl_value *model) {
    tsl_evaluator_begin(ev, model, twin->nvars);
    for (size_t i = 0; i < twin->labels.len; i++) {
        uint32_t label = twin->labels.data[i];
        const tsl_expr *node = &twin->nodes.data[label];
        tsl_value want = tsl_twin_eval(twin, label, model);
        tsl_value got = tsl_evaluator_value(ev, built[label]);
        if (tsl_value_equal(want, got) && tsl_term_width(terms, built[label]) == node->width)
            continue;
        printf("# node %u, operator %u of %u bits: %llx%016llx, not %llx%016llx\n", label, node->op,
               node->width, (unsigned long long)got.hi, (unsigned long long)got.lo,
               (unsigned long long)want.hi, (unsigned long long)want.lo);
        say_term(terms, built[label]);
        return false;
    }
    return true;
}

static bool terms_are_right(uint64_t seed, enum tsl_twin_kind kind) {
    tsl_rng rng;
    tsl_twin twin;
    tsl_rng_init(&rng, seed);
    tsl_twin_generate(&twin, &rng, kind, 4 + (unsigned)(seed % 12));
    tsl_terms *terms = tsl_terms_new();
    tsl_term *built = tsl_alloc_array(twin.nodes.len, sizeof *built);
    tsl_evaluator ev;
    tsl_evaluator_init(&ev, terms);
    tsl_twin_build(&twin, terms, built);
    bool ok = true;
    for (unsigned i = 0; ok && i < 6; i++) {
        tsl_value model[TSL_TWIN_VARS];
        for (unsigned k = 0; k < twin.nvars; k++)
            model[k] = tsl_twin_number(&rng, twin.widths[k]);
        ok = same_values(&twin, terms, built, &ev, model);
    }
    tsl_evaluator_drop(&ev);
    tsl_free(built);
    tsl_terms_free(terms);
    tsl_twin_drop(&twin);
    return ok;
}

static void run_terms(suite *s, enum tsl_twin_kind kind) {
    char name[64];
    bool ok = true;
    uint64_t done = 0;
    for (; ok && done < 10 * s->cases; done++) {
        ok = terms_are_right(s->seed + done, kind);
        if (!ok)
            printf("# seed %llu\n", (unsigned long long)(s->seed + done));
    }
    snprintf(name, sizeof name, "terms of %s widths", kind_names[kind]);
    report(s, ok, name, done);
}

// ---------------------------------------------------------------- ranges

static tsl_range some_range(tsl_rng *rng, unsigned width) {
    tsl_range r = tsl_range_full(width), other = r;
    tsl_wide a = tsl_rng_below(rng, 1u << width), b = tsl_rng_below(rng, 1u << width);
    switch (tsl_rng_below(rng, 4)) {
    case 0:
        return r;
    case 1:
        return tsl_range_point(a, width);
    case 2:
        other.lo = a < b ? a : b;
        other.hi = a < b ? b : a;
        break;
    default:
        other.slo = tsl_wide_sign(a, width);
        other.shi = tsl_wide_sign(b, width);
        if (other.slo > other.shi) {
            other.slo = tsl_wide_sign(b, width);
            other.shi = tsl_wide_sign(a, width);
        }
    }
    tsl_range_meet(&r, &other, width);
    return r;
}

static bool is_in(const tsl_range *r, tsl_value v, unsigned width) {
    tsl_wide_signed s = tsl_wide_sign(tsl_wide_of(v), width);
    return tsl_wide_of(v) >= r->lo && tsl_wide_of(v) <= r->hi && s >= r->slo && s <= r->shi;
}

// One operator on words of a few bits: all values of all operands.
typedef struct range_case {
    tsl_terms *terms;
    tsl_term t;
    tsl_evaluator ev;
    unsigned widths[3], n;
    tsl_range before[3], after[3], result; // result: what is said of it from outside
} range_case;

static bool is_kept(range_case *c, const tsl_range *forward, const tsl_value *v) {
    for (unsigned i = 0; i < c->n; i++)
        if (!is_in(&c->before[i], v[i], c->widths[i]))
            return true;
    unsigned width = tsl_term_width(c->terms, c->t);
    tsl_value out = tsl_term_eval(&c->ev, c->t, v, c->n);
    if (!is_in(forward, out, width))
        return false;
    for (unsigned i = 0; is_in(&c->result, out, width) && i < c->n; i++)
        if (!is_in(&c->after[i], v[i], c->widths[i]))
            return false;
    return true;
}

static bool range_holds(range_case *c, tsl_rng *rng) {
    unsigned bits = 0;
    tsl_ranged x = {.terms = c->terms, .t = c->t, .op = tsl_term_op(c->terms, c->t)};
    x.width = tsl_term_width(c->terms, c->t);
    x.extra = tsl_term_extra(c->terms, c->t);
    x.a_width = c->widths[0];
    x.b_width = c->widths[1];
    for (unsigned i = 0; i < c->n; i++) {
        c->after[i] = c->before[i] = some_range(rng, c->widths[i]);
        bits += c->widths[i];
    }
    x.a = &c->after[0];
    x.b = c->n > 1 ? &c->after[1] : NULL;
    x.c = c->n > 2 ? &c->after[2] : NULL;
    tsl_range forward = tsl_range_forward(&x);
    c->result = some_range(rng, x.width);
    tsl_range_backward(&x, &c->result);
    for (uint32_t all = 0; all < 1u << bits; all++) {
        tsl_value v[3] = {{0}};
        for (unsigned i = 0, at = 0; i < c->n; at += c->widths[i++])
            v[i].lo = all >> at & ((1u << c->widths[i]) - 1);
        if (!is_kept(c, &forward, v))
            return false;
    }
    return true;
}

// Nothing is simplified in terms of variables alone, except for terms of one bit.
static bool make_range_case(range_case *c, tsl_rng *rng) {
    static const uint8_t table[] = {7, 0, 3, 200, 3};
    unsigned op = TSL_EXPR_NOT + (unsigned)tsl_rng_below(rng, TSL_EXPR_COUNT - TSL_EXPR_NOT);
    unsigned width = 2 + (unsigned)tsl_rng_below(rng, 3), extra = 0, out = width;
    for (unsigned i = 0; i < 3; i++)
        c->widths[i] = width;
    if (op >= TSL_EXPR_EQ && op <= TSL_EXPR_SLE)
        out = 1;
    else if (op == TSL_EXPR_CONCAT)
        out = width + (c->widths[1] = 1 + (unsigned)tsl_rng_below(rng, 4));
    else if (op == TSL_EXPR_EXTRACT) {
        out = 1 + (unsigned)tsl_rng_below(rng, width - 1);
        extra = (unsigned)tsl_rng_below(rng, width - out + 1);
    } else if (op == TSL_EXPR_ZEXT || op == TSL_EXPR_SEXT)
        out = width + 1 + (unsigned)tsl_rng_below(rng, 3);
    else if (op == TSL_EXPR_ITE)
        c->widths[0] = 1;
    tsl_term v[3];
    for (uint32_t i = 0; i < 3; i++)
        v[i] = tsl_term_var(c->terms, i, c->widths[i]);
    c->t = op == TSL_EXPR_LOOKUP ? tsl_term_lookup(c->terms, 1, table, 5, v[0])
                                 : tsl_term_make(c->terms, op, out, extra, v[0], v[1], v[2]);
    c->n = tsl_term_arity(c->terms, c->t);
    return tsl_term_op(c->terms, c->t) == op && tsl_term_operand(c->terms, c->t, 0).i == v[0].i;
}

static void run_ranges(suite *s) {
    bool ok = true;
    uint64_t done = 0;
    for (; ok && done < 20 * s->cases; done++) {
        tsl_rng rng;
        tsl_rng_init(&rng, s->seed + done);
        range_case c = {.terms = tsl_terms_new()};
        tsl_evaluator_init(&c.ev, c.terms);
        ok = !make_range_case(&c, &rng) || range_holds(&c, &rng);
        if (!ok) {
            printf("# seed %llu\n", (unsigned long long)(s->seed + done));
            say_term(c.terms, c.t);
        }
        tsl_evaluator_drop(&c.ev);
        tsl_terms_free(c.terms);
    }
    report(s, ok, "ranges", done);
}

// ---------------------------------------------------------------- a path and its questions

enum { MOST_PATH = 12, CASES_PER_SOLVER = 100 };

// One solver serves many paths, so that a mistake in what it keeps between them shows.
typedef struct bench {
    tsl_terms *terms;
    tsl_solver *solver;
    tsl_evaluator ev;
    tsl_solver_options options;
    uint32_t next_var;
    unsigned used;
    uint64_t *asked;
} bench;

static void bench_open(bench *b) {
    b->terms = tsl_terms_new();
    b->solver = tsl_solver_new(b->terms, &b->options);
    tsl_evaluator_init(&b->ev, b->terms);
    b->next_var = 0;
    b->used = 0;
}

static void bench_close(bench *b) {
    tsl_evaluator_drop(&b->ev);
    tsl_solver_free(b->solver);
    tsl_terms_free(b->terms);
}

typedef struct system {
    tsl_twin twin;
    uint32_t labels[MOST_PATH]; // of the path's conditions
    bool taken[MOST_PATH];      // which way the run went
    tsl_term path[MOST_PATH];
    size_t n;
    tsl_model model; // of the run
} system_;

static void system_open(system_ *y, bench *b, tsl_rng *rng, enum tsl_twin_kind kind) {
    tsl_twin_generate(&y->twin, rng, kind, 4 + (unsigned)tsl_rng_below(rng, 12));
    size_t wanted = 1 + tsl_rng_below(rng, MOST_PATH);
    for (size_t i = 0; i < wanted; i++)
        y->labels[i] = tsl_twin_condition(&y->twin, rng);
    y->twin.first = b->next_var;
    b->next_var += y->twin.nvars;
    y->model = (tsl_model){0};
    while (y->model.len < y->twin.first)
        tsl_vec_push(&y->model, (tsl_value){0});
    for (unsigned k = 0; k < y->twin.nvars; k++)
        tsl_vec_push(&y->model, tsl_twin_number(rng, y->twin.widths[k]));
    tsl_term *built = tsl_alloc_array(y->twin.nodes.len, sizeof *built);
    tsl_twin_build(&y->twin, b->terms, built);
    y->n = 0;
    for (size_t i = 0; i < wanted; i++) {
        tsl_term t = built[y->labels[i]];
        if (tsl_term_is_const(b->terms, t))
            continue; // a run does not record those
        y->labels[y->n] = y->labels[i];
        y->taken[y->n] = tsl_term_eval(&b->ev, t, y->model.data, y->model.len).lo;
        y->path[y->n] = y->taken[y->n] ? t : tsl_term_not(b->terms, t);
        y->n++;
    }
    tsl_free(built);
}

static void system_close(system_ *y) {
    tsl_twin_drop(&y->twin);
    tsl_vec_drop(&y->model);
}

// Does the path hold up to condition j, with that one negated?  The twin computes this.
static bool is_solution(const system_ *y, size_t j, const tsl_model *model) {
    const tsl_value *values = model->data + y->twin.first;
    for (size_t i = 0; i <= j; i++) {
        bool holds = tsl_twin_eval(&y->twin, y->labels[i], values).lo;
        if (holds != (i == j ? !y->taken[i] : y->taken[i]))
            return false;
    }
    return true;
}

static bool brute_finds(const system_ *y, bench *b, size_t j, tsl_term goal) {
    unsigned bits = 0;
    tsl_model model = {0};
    for (size_t i = 0; i < y->model.len; i++)
        tsl_vec_push(&model, y->model.data[i]);
    for (unsigned k = 0; k < y->twin.nvars; k++)
        bits += y->twin.widths[k];
    bool found = false;
    for (uint64_t all = 0; !found && all < (uint64_t)1 << bits; all++) {
        uint64_t rest = all;
        for (unsigned k = 0; k < y->twin.nvars; k++) {
            unsigned width = y->twin.widths[k];
            model.data[y->twin.first + k].lo = rest & (((uint64_t)1 << width) - 1);
            rest >>= width;
        }
        tsl_evaluator_begin(&b->ev, model.data, model.len);
        found = tsl_evaluator_holds(&b->ev, goal);
        for (size_t i = 0; found && i < j; i++)
            found = tsl_evaluator_holds(&b->ev, y->path[i]);
    }
    tsl_vec_drop(&model);
    return found;
}

static bool ask(bench *b, const system_ *y, size_t j, bool brute) {
    static const char *const names[] = {"sat", "unsat", "unknown"};
    tsl_model model = {0};
    for (size_t i = 0; i < y->model.len; i++)
        tsl_vec_push(&model, y->model.data[i]);
    tsl_term goal = tsl_term_not(b->terms, y->path[j]);
    enum tsl_sat answer = tsl_solver_solve(b->solver, y->path, j, goal, &model);
    b->asked[answer]++;
    bool ok = true;
    if (answer == TSL_SAT && tsl_solver_last_was_optimistic(b->solver))
        ok = tsl_twin_eval(&y->twin, y->labels[j], model.data + y->twin.first).lo != y->taken[j];
    else if (answer == TSL_SAT)
        ok = is_solution(y, j, &model);
    else if (answer != TSL_SAT &&
             memcmp(model.data, y->model.data, y->model.len * sizeof *model.data))
        ok = false;
    if (ok && brute && answer == TSL_UNSAT)
        ok = !brute_finds(y, b, j, goal);
    if (ok && brute && answer == TSL_UNKNOWN)
        ok = b->options.without >> TSL_LINK_Z3 & 1;
    if (!ok) {
        printf("# condition %zu: %s\n", j, names[answer]);
        for (size_t i = 0; i <= j; i++)
            say_term(b->terms, y->path[i]);
    }
    tsl_vec_drop(&model);
    return ok;
}

static bool path_is_right(bench *b, uint64_t seed, enum tsl_twin_kind kind) {
    tsl_rng rng;
    system_ y;
    tsl_rng_init(&rng, seed);
    if (b->used++ >= CASES_PER_SOLVER) {
        bench_close(b);
        bench_open(b);
    }
    system_open(&y, b, &rng, kind);
    bool ok = true;
    for (size_t j = y.n; ok && j-- > 0;)
        ok = ask(b, &y, j, kind == TSL_TWIN_TINY);
    system_close(&y);
    if (!ok)
        printf("# seed %llu\n", (unsigned long long)seed);
    return ok;
}

static void say_links(const tsl_solver *solver) {
    const tsl_solver_stats *stats = tsl_solver_statistics(solver);
    printf("# of the last solver's %llu:", (unsigned long long)stats->queries);
    for (unsigned i = 0; i < TSL_LINK_COUNT; i++)
        printf(" %s %llu+%llu", tsl_link_names[i], (unsigned long long)stats->links[i].sat,
               (unsigned long long)stats->links[i].unsat);
    printf(", unknown %llu, optimistic %llu\n", (unsigned long long)stats->unknown,
           (unsigned long long)stats->optimistic);
}

static void run_paths(suite *s, const char *name, enum tsl_twin_kind kind, uint32_t without,
                      uint64_t cases) {
    // Questions about a few bits are always decided; some about words are too hard, and this is no
    // test of patience.
    bench b = {.options = {.seconds = kind == TSL_TWIN_TINY ? 60 : 0.1,
                           .check = true,
                           .seed = s->seed,
                           .without = without},
               .asked = s->asked};
    bool ok = true;
    uint64_t done = 0;
    bench_open(&b);
    for (; ok && done < cases; done++)
        ok = path_is_right(&b, s->seed + done, kind);
    say_links(b.solver);
    bench_close(&b);
    report(s, ok, name, done);
}

static void run_brute(suite *s) {
    run_paths(s, "brute force", TSL_TWIN_TINY, 0, s->cases);
    for (unsigned i = 1; i < TSL_LINK_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "brute force without %s", tsl_link_names[i]);
        run_paths(s, name, TSL_TWIN_TINY, 1u << i, s->cases / 4);
    }
    // Each link alone, and together with Z3.
    for (unsigned i = 1; i < TSL_LINK_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "brute force with %s alone", tsl_link_names[i]);
        run_paths(s, name, TSL_TWIN_TINY, ~(1u << i), s->cases / 4);
    }
    run_paths(s, "brute force with cache and z3", TSL_TWIN_TINY,
              ~(1u << TSL_LINK_CACHE | 1u << TSL_LINK_Z3), s->cases / 4);
}

// ---------------------------------------------------------------- the z3 program

enum { COMPARED = 12 };

static bool says_the_same(const char *path, unsigned *asked) {
    char *text = NULL, line[64] = "";
    size_t len;
    if (!tsl_file_read(path, &text, &len, NULL))
        return false;
    const char *status = strstr(text, ":status ");
    char *command = tsl_asprintf("z3 -T:20 '%s' 2>&1", path);
    FILE *pipe = popen(command, "r");
    bool ok = status && pipe && fgets(line, sizeof line, pipe);
    if (pipe)
        pclose(pipe);
    line[strcspn(line, "\n")] = 0;
    if (ok && strncmp(status + 8, "unknown", 7) != 0) {
        ok = strncmp(status + 8, line, strlen(line)) == 0 && *line;
        ++*asked;
    }
    if (!ok)
        printf("# %s: z3 says %s\n", path, line);
    tsl_free(command);
    tsl_free(text);
    return ok;
}

static bool compare_files(const char *dir, unsigned *asked) {
    bool ok = true;
    for (unsigned i = 1; i <= COMPARED; i++) {
        char *path = tsl_asprintf("%s/query-%06u.smt2", dir, i);
        ok &= says_the_same(path, asked);
        unlink(path);
        tsl_free(path);
    }
    return ok;
}

static void run_program(suite *s) {
    char dir[] = "/tmp/teasel-solve-XXXXXX";
    if (system("command -v z3 >/dev/null 2>&1") != 0 || !mkdtemp(dir)) {
        printf("ok %u # SKIP no z3 program\n", ++s->points);
        return;
    }
    bench b = {.options = {.seconds = 1, .log_dir = dir}, .asked = s->asked};
    bench_open(&b);
    bool ok = true;
    unsigned asked = 0;
    for (uint64_t seed = 1; tsl_solver_statistics(b.solver)->queries < COMPARED; seed++)
        ok &= path_is_right(&b, s->seed + seed, seed % 2 ? TSL_TWIN_C : TSL_TWIN_TINY);
    // Further questions are only written.
    uint64_t written = tsl_solver_statistics(b.solver)->queries;
    ok &= compare_files(dir, &asked);
    for (uint64_t i = COMPARED + 1; i <= written; i++) {
        char *path = tsl_asprintf("%s/query-%06llu.smt2", dir, (unsigned long long)i);
        unlink(path);
        tsl_free(path);
    }
    bench_close(&b);
    ok &= rmdir(dir) == 0;
    report(s, ok && asked > COMPARED / 2, "the z3 program agrees", asked);
}

int main(int argc, char **argv) {
    suite s = {.cases = 300, .seed = 1};
    const tsl_opt opts[] = {
        TSL_OPT_U64("cases", 'n', "N", &s.cases, "random cases of each kind"),
        TSL_OPT_U64("seed", 's', "N", &s.seed, "seed of the first"),
        TSL_OPT_END,
    };
    tsl_suite_options(opts, argc, argv);
    for (unsigned kind = 0; kind < TSL_TWIN_KINDS; kind++)
        run_terms(&s, (enum tsl_twin_kind)kind);
    run_ranges(&s);
    run_brute(&s);
    run_paths(&s, "words as in C", TSL_TWIN_C, 0, s.cases / 6);
    run_paths(&s, "words of any width", TSL_TWIN_ANY, 0, s.cases / 60);
    run_program(&s);
    printf("# %llu sat, %llu unsat, %llu unknown\n", (unsigned long long)s.asked[0],
           (unsigned long long)s.asked[1], (unsigned long long)s.asked[2]);
    printf("1..%u\n", s.points);
    return s.failed ? 1 : 0;
}
