// src/solve: which link answers a question, and which variables does an answer leave alone?
//
// tests/oracle/test_solve.c checks that answers are true.
#include "unit.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/mem.h"
#include "expr/eval.h"
#include "solve/solver.h"

enum { VARS = 40, WORD = 32 };

static tsl_terms *terms;
static tsl_solver *solver;
static tsl_model model;
static tsl_term var[VARS]; // words

static void open_with(tsl_solver_options options) {
    terms = tsl_terms_new();
    for (uint32_t i = 0; i < VARS; i++) {
        var[i] = tsl_term_var(terms, i, WORD);
        tsl_vec_push(&model, (tsl_value){0});
    }
    solver = tsl_solver_new(terms, &options);
}

static int start(void **state) {
    (void)state;
    open_with((tsl_solver_options){.seconds = 20, .check = true});
    return 0;
}

static int stop(void **state) {
    (void)state;
    tsl_solver_free(solver);
    tsl_terms_free(terms);
    tsl_vec_drop(&model);
    return 0;
}

static tsl_term k(uint64_t v) { return tsl_term_const(terms, WORD, (tsl_value){v, 0}); }
static tsl_term two(enum tsl_expr_op op, tsl_term a, tsl_term b) {
    return tsl_term_binary(terms, op, a, b);
}
static tsl_term less(tsl_term a, tsl_term b) { return two(TSL_EXPR_ULT, a, b); }
static tsl_term equal(tsl_term a, tsl_term b) { return two(TSL_EXPR_EQ, a, b); }
static tsl_term no(tsl_term a) { return tsl_term_not(terms, a); }
static void let(uint32_t i, uint64_t v) { model.data[i] = (tsl_value){v, 0}; }
static uint64_t is(uint32_t i) { return model.data[i].lo; }
static const tsl_solver_stats *stats(void) { return tsl_solver_statistics(solver); }
static const tsl_link_stats *link_of(enum tsl_link_kind kind) { return &stats()->links[kind]; }

// ---------------------------------------------------------------- slicing

static void slices_leave_the_rest_alone(void **state) {
    (void)state;
    tsl_term path[VARS];
    // Pairs: 0 < 1, 2 < 3, ...
    for (uint32_t i = 0; i < VARS; i += 2) {
        path[i / 2] = less(var[i], var[i + 1]);
        let(i + 1, 100 + i);
    }
    assert_int_equal(tsl_solver_solve(solver, path, VARS / 2, equal(var[4], k(1000)), &model),
                     TSL_SAT);
    assert_int_equal(is(4), 1000);
    assert_true(is(5) > 1000);
    for (uint32_t i = 0; i < VARS; i++)
        if (i != 4 && i != 5)
            assert_int_equal(is(i), i % 2 ? 100 + i - 1 : 0);
    assert_int_equal(stats()->queries, 1);
    assert_int_equal(stats()->constraints, VARS / 2 + 1);
    assert_int_equal(stats()->kept, 2);
    assert_int_equal(stats()->changed, 2);
}

// A chain is one piece; a condition that stands twice counts once; a path that is left is
// forgotten.
static void slices_follow_the_path(void **state) {
    (void)state;
    tsl_term path[8];
    for (uint32_t i = 0; i < 8; i++) {
        path[i] = less(var[i], var[i + 1]);
        let(i, i);
    }
    let(8, 8);
    tsl_term goal = less(k(50), var[0]);
    tsl_solver_solve(solver, path, 8, goal, &model);
    assert_int_equal(stats()->kept, 9);
    for (uint32_t i = 0; i < 9; i++)
        let(i, i);
    tsl_solver_solve(solver, path, 3, goal, &model);
    assert_int_equal(stats()->kept, 9 + 4);
    for (uint32_t i = 0; i < 9; i++)
        let(i, i);
    path[2] = less(var[20], k(5)); // was 2 < 3: now 0, 1, 2 and 3, 4, ... are two pieces
    path[3] = path[0];
    tsl_solver_solve(solver, path, 8, goal, &model);
    assert_int_equal(stats()->kept, 9 + 4 + 3);
    for (uint32_t i = 0; i < 9; i++)
        let(i, i);
    path[2] = two(TSL_EXPR_AND, less(var[20], k(5)), less(var[21], k(5))); // two conditions
    tsl_solver_solve(solver, path, 8, less(k(2), var[20]), &model);
    assert_int_equal(stats()->kept, 9 + 4 + 3 + 2);
}

static void long_paths_are_fast(void **state) {
    (void)state;
    enum { LONG = 4000 };
    tsl_term *path = tsl_alloc_array(LONG, sizeof *path);
    for (uint32_t i = 0; i < LONG; i++)
        path[i] = no(equal(var[i % VARS], k(1 + i)));
    // All questions a run gives rise to: 16 million conditions, if each were looked at.
    for (uint32_t i = 0; i < LONG; i++) {
        tsl_term goal = no(path[i]);
        assert_int_equal(tsl_solver_solve(solver, path, i, goal, &model), TSL_SAT);
        assert_int_equal(is(i % VARS), 1 + i);
        let(i % VARS, 0);
    }
    tsl_free(path);
}

// ---------------------------------------------------------------- the links

static void contradictions_are_seen(void **state) {
    (void)state;
    tsl_term path[] = {less(var[0], var[1]), equal(var[2], var[3]), no(equal(var[4], k(3)))};
    let(1, 5);
    assert_int_equal(tsl_solver_solve(solver, path, 3, no(path[0]), &model), TSL_UNSAT);
    assert_int_equal(tsl_solver_solve(solver, path, 3, less(var[1], var[0]), &model), TSL_UNSAT);
    assert_int_equal(tsl_solver_solve(solver, path, 3, equal(var[0], var[1]), &model), TSL_UNSAT);
    assert_int_equal(tsl_solver_solve(solver, path, 3, less(var[2], var[3]), &model), TSL_UNSAT);
    tsl_term both = two(TSL_EXPR_AND, path[0], path[2]);
    assert_int_equal(tsl_solver_solve(solver, path, 3, no(both), &model), TSL_UNSAT);
    assert_int_equal(stats()->fast_unsat, 5);
    assert_int_equal(link_of(TSL_LINK_CONTRADICT)->unsat, 5);
    assert_int_equal(is(1), 5);
}

static void answers_are_remembered(void **state) {
    (void)state;
    // Three variables that must differ pairwise but have room for only two values.
    tsl_term path[] = {less(var[0], k(2)), less(var[1], k(2)), less(var[2], k(2)),
                       no(equal(var[0], var[1])), no(equal(var[1], var[2]))};
    tsl_term goal = no(equal(var[0], var[2]));
    let(1, 1);
    assert_int_equal(tsl_solver_solve(solver, path, 5, goal, &model), TSL_UNSAT);
    assert_int_equal(link_of(TSL_LINK_CACHE)->unsat, 0);
    assert_int_equal(tsl_solver_solve(solver, path, 5, goal, &model), TSL_UNSAT);
    assert_int_equal(link_of(TSL_LINK_CACHE)->unsat, 1);
    // More such conditions change nothing.
    tsl_term longer[] = {path[0], path[1], path[2], path[3], path[4], less(var[0], var[1])};
    assert_int_equal(tsl_solver_solve(solver, longer, 6, goal, &model), TSL_UNSAT);
    assert_int_equal(link_of(TSL_LINK_CACHE)->unsat, 2);
    // An earlier model is used again.
    tsl_term hard = equal(two(TSL_EXPR_MUL, var[5], var[6]), k(391));
    assert_int_equal(tsl_solver_solve(solver, NULL, 0, hard, &model), TSL_SAT);
    let(5, 0);
    let(6, 0);
    assert_int_equal(tsl_solver_solve(solver, NULL, 0, hard, &model), TSL_SAT);
    assert_int_equal(link_of(TSL_LINK_CACHE)->sat, 1);
}

// The cheap links must answer the questions that programs ask most often.
static void cheap_questions_are_cheap(void **state) {
    (void)state;
    tsl_term byte[4], word = var[0];
    for (uint32_t i = 0; i < 4; i++)
        byte[i] = tsl_term_extract(terms, var[10], 8 * i, 8);
    word = two(TSL_EXPR_CONCAT, byte[0], byte[1]); // the other way round
    const uint8_t table[] = {3, 1, 4, 1, 5, 9, 2, 6};
    tsl_term wide =
        tsl_term_make(terms, TSL_EXPR_ZEXT, 64, 0, var[3], (tsl_term){0}, (tsl_term){0});
    tsl_term goals[] = {
        equal(two(TSL_EXPR_ADD, two(TSL_EXPR_MUL, var[0], k(31)), var[1]), k(1234567)),
        two(TSL_EXPR_EQ, word, tsl_term_const(terms, 16, (tsl_value){0x4142, 0})),
        two(TSL_EXPR_EQ, tsl_term_lookup(terms, 1, table, 8, var[2]),
            tsl_term_const(terms, 8, (tsl_value){9, 0})),
        less(k(77), two(TSL_EXPR_UREM, var[3], k(100))),
        two(TSL_EXPR_SLT, two(TSL_EXPR_SUB, var[4], var[5]), k((uint32_t)-20)),
        two(TSL_EXPR_ULT, tsl_term_const(terms, 64, (tsl_value){5, 0}),
            two(TSL_EXPR_MUL, wide, wide)),
        equal(two(TSL_EXPR_UDIV, var[6], k(7)), k(6)),
    };
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
        assert_int_equal(tsl_solver_solve(solver, NULL, 0, goals[i], &model), TSL_SAT);
    assert_int_equal(link_of(TSL_LINK_Z3)->asked, 0);
    assert_int_equal(is(10), 0x4241);
    assert_int_equal(is(2), 5);
}

// A list is kept in order; a new element goes between two others that leave no room.
static void orders_are_found(void **state) {
    (void)state;
    tsl_term path[10];
    for (uint32_t i = 0; i < 9; i++) {
        path[i] = two(TSL_EXPR_SLT, var[i], var[i + 1]);
        let(i, i);
    }
    let(9, 9);
    path[9] = two(TSL_EXPR_SLT, var[3], var[20]);
    let(20, 100);
    assert_int_equal(tsl_solver_solve(solver, path, 10, two(TSL_EXPR_SLT, var[20], var[4]), &model),
                     TSL_SAT);
    assert_true(is(3) < is(20) && is(20) < is(4) && is(8) < is(9));
    assert_int_equal(link_of(TSL_LINK_Z3)->asked, 0);
    // The conditions form a circle.
    assert_int_equal(tsl_solver_solve(solver, path, 9, two(TSL_EXPR_SLE, var[9], var[0]), &model),
                     TSL_UNSAT);
    assert_int_equal(link_of(TSL_LINK_ORDER)->unsat, 1);
}

// ---------------------------------------------------------------- giving up

static void goals_alone_are_optimistic(void **state) {
    (void)state;
    open_with((tsl_solver_options){.check = true, .without = ~(1u << TSL_LINK_OPTIMISTIC)});
    // Made linear: one factor stays 17, so the other is 23.
    let(0, 17);
    tsl_term path[] = {no(less(var[0], k(2))), less(var[1], k(40))};
    tsl_term product = equal(two(TSL_EXPR_MUL, var[0], var[1]), k(391));
    assert_int_equal(tsl_solver_solve(solver, path, 2, product, &model), TSL_SAT);
    assert_false(tsl_solver_last_was_optimistic(solver));
    assert_int_equal(is(0) * is(1), 391);
    // The goal can hold, but not on this path.
    assert_int_equal(tsl_solver_solve(solver, path, 2, less(k(50), var[1]), &model), TSL_SAT);
    assert_true(tsl_solver_last_was_optimistic(solver));
    assert_true(is(1) > 50);
    assert_int_equal(stats()->optimistic, 1);
    stop(NULL);
}

static void nobody_knows(void **state) {
    (void)state;
    open_with((tsl_solver_options){.without = ~(1u << TSL_LINK_CONTRADICT)});
    let(0, 3);
    assert_int_equal(tsl_solver_solve(solver, NULL, 0, equal(var[0], k(7)), &model), TSL_UNKNOWN);
    assert_int_equal(is(0), 3);
    assert_int_equal(stats()->unknown, 1);
    stop(NULL);
}

// ---------------------------------------------------------------- models, logs

static void models_change_little(void **state) {
    (void)state;
    // Z3 alone would change all of them.
    stop(NULL);
    open_with((tsl_solver_options){.check = true, .without = ~(1u << TSL_LINK_Z3)});
    tsl_term sum = var[0], path[9];
    for (uint32_t i = 1; i < 10; i++) {
        sum = two(TSL_EXPR_ADD, sum, var[i]);
        path[i - 1] = less(var[i], k(1000));
        let(i, 10 * i);
    }
    let(0, 1);
    assert_int_equal(tsl_solver_solve(solver, path, 9, less(k(2000), sum), &model), TSL_SAT);
    assert_true(stats()->changed <= 3);
}

// Variables that no run had before are 0.
static void short_models_grow(void **state) {
    (void)state;
    model.len = 1;
    assert_int_equal(tsl_solver_solve(solver, NULL, 0, equal(var[7], k(3)), &model), TSL_SAT);
    assert_int_equal(model.len, 8);
    assert_int_equal(is(7), 3);
}

static void questions_are_logged(void **state) {
    (void)state;
    char dir[] = "/tmp/teasel-solver-XXXXXX";
    assert_non_null(mkdtemp(dir));
    open_with((tsl_solver_options){.log_dir = dir});
    tsl_term path[] = {less(var[0], k(10))};
    tsl_solver_solve(solver, path, 1, equal(var[0], k(7)), &model);
    tsl_solver_solve(solver, path, 1, equal(var[0], k(70)), &model);
    char *text, *name = tsl_asprintf("%s/query-000001.smt2", dir);
    size_t len;
    assert_true(tsl_file_read(name, &text, &len, NULL));
    assert_non_null(strstr(text, "(set-info :status sat)"));
    tsl_free(text);
    unlink(name);
    tsl_free(name);
    name = tsl_asprintf("%s/query-000002.smt2", dir);
    assert_true(tsl_file_read(name, &text, &len, NULL));
    assert_non_null(strstr(text, "(set-info :status unsat)"));
    tsl_free(text);
    unlink(name);
    tsl_free(name);
    assert_int_equal(rmdir(dir), 0);
    stop(NULL);
}

int main(void) {
#define WITH(name) cmocka_unit_test_setup_teardown(name, start, stop)
    const struct CMUnitTest tests[] = {
        WITH(slices_leave_the_rest_alone),
        WITH(slices_follow_the_path),
        WITH(long_paths_are_fast),
        WITH(contradictions_are_seen),
        WITH(answers_are_remembered),
        WITH(cheap_questions_are_cheap),
        WITH(orders_are_found),
        cmocka_unit_test(goals_alone_are_optimistic),
        cmocka_unit_test(nobody_knows),
        WITH(models_change_little),
        WITH(short_models_grow),
        cmocka_unit_test(questions_are_logged),
    };
    return cmocka_run_group_tests_name("solver", tests, NULL, NULL);
}
