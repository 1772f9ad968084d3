// The chain of links; see solver.h.
#include "solve/solver.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/file.h"
#include "expr/print.h"
#include "solve/link.h"
#include "solve/slice.h"

const char *const tsl_link_names[TSL_LINK_COUNT] = {
#define TSL_LINK(NAME, name, doc) [TSL_LINK_##NAME] = #name,
#include "solve/links.def"
#undef TSL_LINK
};

static const tsl_link *const links[TSL_LINK_COUNT] = {
#define TSL_LINK(NAME, name, doc) [TSL_LINK_##NAME] = &tsl_link_##name,
#include "solve/links.def"
#undef TSL_LINK
};

struct tsl_solver {
    tsl_chain chain;
    tsl_slicer slicer;
    tsl_query query;
    void *states[TSL_LINK_COUNT];
    tsl_solver_stats stats;
};

tsl_solver *tsl_solver_new(tsl_terms *terms, const tsl_solver_options *options) {
    tsl_solver *s = tsl_alloc(sizeof *s);
    s->chain = (tsl_chain){.terms = terms, .options = *options};
    tsl_slicer_init(&s->slicer, terms);
    tsl_query_init(&s->query, terms);
    for (unsigned i = 0; i < TSL_LINK_COUNT; i++) {
        s->states[i] = tsl_alloc(links[i]->size);
        if (links[i]->begin)
            links[i]->begin(s->states[i], &s->chain);
    }
    return s;
}

void tsl_solver_free(tsl_solver *s) {
    if (!s)
        return;
    for (unsigned i = 0; i < TSL_LINK_COUNT; i++) {
        if (links[i]->drop)
            links[i]->drop(s->states[i]);
        tsl_free(s->states[i]);
    }
    tsl_slicer_drop(&s->slicer);
    tsl_query_drop(&s->query);
    tsl_free(s);
}

// ---------------------------------------------------------------- the first link

static enum tsl_sat look(void *self, tsl_query *q) {
    (void)self;
    for (size_t i = q->held; i < q->conds.len; i++)
        if (tsl_term_is_const(q->terms, q->conds.data[i]) &&
            tsl_value_is_zero(tsl_term_value(q->terms, q->conds.data[i])))
            return TSL_UNSAT;
    return tsl_query_holds(q) ? TSL_SAT : TSL_UNKNOWN;
}

const tsl_link tsl_link_slice = {.solve = look};

// ---------------------------------------------------------------- logging and checking

static void show_query(const tsl_solver *s) {
    tsl_buf text = {0};
    tsl_print_smt(s->chain.terms, s->query.conds.data, s->query.conds.len, NULL, NULL, &text);
    fputs(tsl_buf_text(&text), stderr);
    tsl_buf_drop(&text);
}

static void log_query(const tsl_solver *s, enum tsl_sat answer) {
    static const char *const names[] = {"sat", "unsat", "unknown"};
    const tsl_query *q = &s->query;
    tsl_buf text = {0};
    tsl_err *err = s->chain.options.log_err;
    char *path = tsl_asprintf("%s/query-%06llu.smt2", s->chain.options.log_dir,
                              (unsigned long long)s->stats.queries);
    tsl_print_smt(s->chain.terms, q->conds.data, q->conds.len, NULL,
                  names[s->chain.optimistic ? TSL_UNKNOWN : answer], &text);
    // A log that can't be written must not change what is found.
    if (tsl_file_make_folder(s->chain.options.log_dir, err))
        tsl_file_write_text(path, &text, err);
    tsl_buf_drop(&text);
    tsl_free(path);
}

// All conditions of a path must hold before: links check only those that their changes affect.
static void check_path(tsl_solver *s, const tsl_term *path, size_t n) {
    tsl_query_refresh(&s->query);
    for (size_t i = 0; i < n; i++)
        TSL_BUG_ON(!tsl_evaluator_holds(&s->query.ev, path[i]),
                   "query %llu: condition %zu does not hold before",
                   (unsigned long long)s->stats.queries, i);
}

static void check_sat(tsl_solver *s, const tsl_term *path, size_t n, tsl_term goal) {
    tsl_evaluator *ev = &s->query.ev;
    tsl_query_refresh(&s->query);
    TSL_BUG_ON(!tsl_evaluator_holds(ev, goal), "query %llu: the goal does not hold",
               (unsigned long long)s->stats.queries);
    for (size_t i = 0; i < n && !s->chain.optimistic; i++)
        TSL_BUG_ON(!tsl_evaluator_holds(ev, path[i]), "query %llu: condition %zu does not hold",
                   (unsigned long long)s->stats.queries, i);
}

static void check_unsat(tsl_solver *s, unsigned link) {
    if (link == TSL_LINK_Z3)
        return;
    enum tsl_sat other = tsl_link_z3.solve(s->states[TSL_LINK_Z3], &s->query);
    if (other == TSL_SAT)
        show_query(s);
    TSL_BUG_ON(other == TSL_SAT, "query %llu: %s says unsat, Z3 has a model",
               (unsigned long long)s->stats.queries, tsl_link_names[link]);
}

// ---------------------------------------------------------------- the chain

static enum tsl_sat ask(tsl_solver *s, unsigned i) {
    tsl_link_stats *stats = &s->stats.links[i];
    double begin = tsl_clock_now();
    tsl_query_refresh(&s->query);
    enum tsl_sat answer = links[i]->solve(s->states[i], &s->query);
    stats->seconds += tsl_clock_now() - begin;
    stats->asked++;
    stats->sat += answer == TSL_SAT;
    stats->unsat += answer == TSL_UNSAT;
    return answer;
}

static enum tsl_sat ask_all(tsl_solver *s, unsigned *by) {
    for (unsigned i = 0; i < TSL_LINK_COUNT; i++) {
        if (s->chain.options.without >> i & 1)
            continue;
        *by = i;
        tsl_deadline_ask();
        enum tsl_sat answer = ask(s, i);
        if (answer != TSL_UNKNOWN)
            return answer;
        tsl_query_undo(&s->query, 0);
    }
    return TSL_UNKNOWN;
}

static void tell_all(tsl_solver *s, enum tsl_sat answer, unsigned by) {
    for (unsigned i = 0; i < by; i++)
        if (links[i]->learn && !(s->chain.options.without >> i & 1))
            links[i]->learn(s->states[i], &s->query, answer);
}

static void count(tsl_solver *s, enum tsl_sat answer, unsigned by) {
    s->stats.sat += answer == TSL_SAT;
    s->stats.unsat += answer == TSL_UNSAT;
    s->stats.unknown += answer == TSL_UNKNOWN;
    s->stats.optimistic += s->chain.optimistic;
    s->stats.fast_unsat += answer == TSL_UNSAT && by <= TSL_LINK_CONTRADICT;
    s->stats.changed += answer == TSL_SAT ? s->query.changes.len : 0;
}

enum tsl_sat tsl_solver_solve(tsl_solver *s, const tsl_term *path, size_t n, tsl_term goal,
                              tsl_model *model) {
    tsl_query *q = &s->query;
    unsigned by = TSL_LINK_COUNT;
    s->stats.queries++;
    s->chain.optimistic = false;
    tsl_slicer_cut(&s->slicer, path, n, goal, model, q);
    if (s->chain.options.check)
        check_path(s, path, n);
    s->stats.constraints += n + 1;
    s->stats.kept += q->conds.len;
    enum tsl_sat answer = ask_all(s, &by);
    if (answer == TSL_SAT) {
        if (!s->chain.optimistic)
            tsl_query_shrink(q);
        if (s->chain.options.check)
            check_sat(s, path, n, goal);
    } else {
        tsl_query_undo(q, 0);
        if (answer == TSL_UNSAT && s->chain.options.check)
            check_unsat(s, by);
    }
    tell_all(s, s->chain.optimistic ? TSL_UNKNOWN : answer, by);
    if (s->chain.options.log_dir)
        log_query(s, answer);
    count(s, answer, by);
    return answer;
}

bool tsl_solver_last_was_optimistic(const tsl_solver *s) { return s->chain.optimistic; }

const tsl_solver_stats *tsl_solver_statistics(const tsl_solver *s) { return &s->stats; }
