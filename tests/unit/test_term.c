// src/expr: terms, their rules, their text, and nodes of a Trace that become terms.
#include "unit.h"

#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "expr/eval.h"
#include "expr/import.h"
#include "expr/print.h"

static tsl_terms *terms;
static tsl_term x, y, byte, cond; // 32, 32, 8 and 1 bits

static int open_terms(void **state) {
    (void)state;
    terms = tsl_terms_new();
    x = tsl_term_var(terms, 0, 32);
    y = tsl_term_var(terms, 1, 32);
    byte = tsl_term_var(terms, 2, 8);
    cond = tsl_term_var(terms, 3, 1);
    return 0;
}

static int close_terms(void **state) {
    (void)state;
    tsl_terms_free(terms);
    return 0;
}

// ---------------------------------------------------------------- short spellings

static tsl_term k(unsigned width, uint64_t v) {
    return tsl_term_const(terms, width, tsl_value_of(v | (tsl_wide)0, width));
}

static tsl_term two(enum tsl_expr_op op, tsl_term a, tsl_term b) {
    return tsl_term_binary(terms, op, a, b);
}

static tsl_term one(enum tsl_expr_op op, unsigned width, tsl_term a) {
    return tsl_term_make(terms, op, width, 0, a, (tsl_term){0}, (tsl_term){0});
}

static tsl_term cut(tsl_term a, unsigned from, unsigned width) {
    return tsl_term_extract(terms, a, from, width);
}

static tsl_term no(tsl_term a) { return tsl_term_not(terms, a); }

static tsl_term choose(tsl_term c, tsl_term a, tsl_term b) {
    return tsl_term_make(terms, TSL_EXPR_ITE, tsl_term_width(terms, a), 0, c, a, b);
}

static void assert_same(tsl_term a, tsl_term b) {
    if (a.i == b.i)
        return;
    tsl_buf text = {0};
    tsl_print_term(terms, a, NULL, &text);
    tsl_buf_puts(&text, "   is not   ");
    tsl_print_term(terms, b, NULL, &text);
    print_error("%s\n", tsl_buf_text(&text));
    tsl_buf_drop(&text);
    fail();
}

#define ADD TSL_EXPR_ADD
#define EQ TSL_EXPR_EQ

// ---------------------------------------------------------------- rules

static void equal_terms_are_one(void **state) {
    (void)state;
    assert_same(two(ADD, x, y), two(ADD, y, x));
    assert_same(two(ADD, k(32, 5), x), two(ADD, x, k(32, 5)));
    assert_true(two(ADD, x, y).i != two(TSL_EXPR_SUB, x, y).i);
    assert_same(tsl_term_const(terms, 128, (tsl_value){1, 2}),
                tsl_term_const(terms, 128, (tsl_value){1, 2}));
    assert_true(tsl_term_const(terms, 128, (tsl_value){1, 2}).i !=
                tsl_term_const(terms, 128, (tsl_value){1, 3}).i);
    assert_true(k(8, 1).i != k(16, 1).i);
    // The index grows several times.
    tsl_term last[5000];
    for (unsigned i = 0; i < 5000; i++)
        last[i] = two(TSL_EXPR_MUL, x, k(32, 2 * i + 3));
    for (unsigned i = 0; i < 5000; i++)
        assert_same(last[i], two(TSL_EXPR_MUL, x, k(32, 2 * i + 3)));
}

static void arithmetic_gets_simpler(void **state) {
    (void)state;
    assert_same(two(ADD, k(32, 40), k(32, 2)), k(32, 42));
    assert_same(two(ADD, x, k(32, 0)), x);
    assert_same(two(TSL_EXPR_SUB, x, x), k(32, 0));
    assert_same(two(TSL_EXPR_SUB, two(ADD, x, k(32, 8)), x), k(32, 8));
    assert_same(two(ADD, two(ADD, x, k(32, 3)), k(32, 4)), two(ADD, x, k(32, 7)));
    assert_same(two(ADD, two(ADD, x, k(32, 3)), y), two(ADD, two(ADD, x, y), k(32, 3)));
    assert_same(two(TSL_EXPR_MUL, x, k(32, 1)), x);
    assert_same(two(TSL_EXPR_UREM, x, k(32, 16)), one(TSL_EXPR_ZEXT, 32, cut(x, 0, 4)));
    assert_same(two(TSL_EXPR_SREM, one(TSL_EXPR_ZEXT, 32, byte), k(32, 10)),
                one(TSL_EXPR_ZEXT, 32, two(TSL_EXPR_UREM, byte, k(8, 10))));
    assert_same(two(TSL_EXPR_XOR, two(TSL_EXPR_XOR, x, y), y), x);
    assert_same(one(TSL_EXPR_NOT, 32, one(TSL_EXPR_NOT, 32, x)), x);
    assert_same(two(TSL_EXPR_AND, x, one(TSL_EXPR_NOT, 32, x)), k(32, 0));
}

// int arithmetic on a char, stored into a char
static void truncated_arithmetic_is_narrow(void **state) {
    (void)state;
    tsl_term wide = two(ADD, one(TSL_EXPR_SEXT, 32, byte), k(32, 1));
    wide = two(TSL_EXPR_XOR, wide, k(32, 0x155));
    assert_same(cut(wide, 0, 8), two(TSL_EXPR_XOR, two(ADD, byte, k(8, 1)), k(8, 0x55)));
}

static void negations_are_comparisons(void **state) {
    (void)state;
    tsl_term less = two(TSL_EXPR_ULT, x, y);
    assert_same(no(less), two(TSL_EXPR_ULE, y, x));
    assert_same(no(no(less)), less);
    assert_same(no(two(TSL_EXPR_SLE, x, y)), two(TSL_EXPR_SLT, y, x));
    assert_same(two(TSL_EXPR_ULE, x, k(32, 7)), two(TSL_EXPR_ULT, x, k(32, 8)));
    assert_same(no(two(TSL_EXPR_ULT, x, k(32, 8))), two(TSL_EXPR_ULT, k(32, 7), x));
    assert_same(no(no(two(TSL_EXPR_SLT, x, k(32, 0)))), two(TSL_EXPR_SLT, x, k(32, 0)));
    assert_same(two(TSL_EXPR_ULT, x, k(32, 1)), two(EQ, x, k(32, 0)));
    assert_same(two(TSL_EXPR_ULT, k(32, 0), x), no(two(EQ, x, k(32, 0))));
    assert_same(two(TSL_EXPR_ULT, x, k(32, 0)), k(1, 0));
    assert_same(two(TSL_EXPR_ULT, x, x), k(1, 0));
    assert_same(two(TSL_EXPR_SLE, x, x), k(1, 1));
}

static void equations_are_peeled(void **state) {
    (void)state;
    assert_same(two(EQ, two(ADD, x, k(32, 3)), k(32, 10)), two(EQ, x, k(32, 7)));
    assert_same(two(EQ, two(TSL_EXPR_XOR, x, k(32, 3)), k(32, 1)), two(EQ, x, k(32, 2)));
    assert_same(two(EQ, two(TSL_EXPR_MUL, x, k(32, 5)), k(32, 35)), two(EQ, x, k(32, 7)));
    assert_same(two(EQ, two(TSL_EXPR_MUL, x, k(32, 6)), k(32, 7)), k(1, 0));
    assert_same(two(EQ, two(TSL_EXPR_SUB, x, y), k(32, 0)), two(EQ, x, y));
    assert_same(two(EQ, one(TSL_EXPR_ZEXT, 32, byte), k(32, 65)), two(EQ, byte, k(8, 65)));
    assert_same(two(EQ, one(TSL_EXPR_ZEXT, 32, byte), k(32, 256)), k(1, 0));
    assert_same(two(EQ, one(TSL_EXPR_SEXT, 32, byte), k(32, 0xffffffff)), two(EQ, byte, k(8, 255)));
    assert_same(two(EQ, one(TSL_EXPR_SEXT, 32, byte), k(32, 255)), k(1, 0));
    tsl_term word = two(TSL_EXPR_CONCAT, byte, cut(x, 0, 8));
    assert_same(two(EQ, word, k(16, 0x4142)),
                two(TSL_EXPR_AND, two(EQ, byte, k(8, 0x41)), two(EQ, cut(x, 0, 8), k(8, 0x42))));
    assert_same(two(EQ, two(ADD, x, y), two(ADD, y, k(32, 1))), two(EQ, x, k(32, 1)));
    // base + 4 * (long)i == address
    tsl_term addr = two(ADD, two(TSL_EXPR_MUL, one(TSL_EXPR_SEXT, 64, x), k(64, 4)), k(64, 0x1000));
    assert_same(two(EQ, addr, k(64, 0x1014)), two(EQ, x, k(32, 5)));
    assert_same(two(EQ, addr, k(64, 0x1015)), k(1, 0));
}

static void conditions_in_int_are_conditions(void **state) {
    (void)state;
    tsl_term flag = choose(cond, k(32, 1), k(32, 0));
    assert_same(flag, one(TSL_EXPR_ZEXT, 32, cond));
    assert_same(two(EQ, flag, k(32, 0)), no(cond));
    assert_same(no(two(EQ, flag, k(32, 0))), cond);
    assert_same(two(TSL_EXPR_SLT, k(32, 0), flag), cond);
    assert_same(two(EQ, two(TSL_EXPR_XOR, flag, k(32, 1)), k(32, 0)), cond);
    assert_same(two(EQ, choose(cond, k(32, 7), k(32, 9)), k(32, 9)), no(cond));
    assert_same(two(TSL_EXPR_SLT, choose(cond, k(32, 7), k(32, 9)), k(32, 8)), cond);
    assert_same(choose(no(cond), x, y), choose(cond, y, x));
    tsl_term other = two(TSL_EXPR_ULT, x, y);
    tsl_term both = two(TSL_EXPR_AND, flag, one(TSL_EXPR_ZEXT, 32, other));
    assert_same(no(two(EQ, both, k(32, 0))), two(TSL_EXPR_AND, cond, other));
}

static void words_survive_memory(void **state) {
    (void)state;
    tsl_term stored[4];
    for (unsigned i = 0; i < 4; i++)
        stored[i] = cut(x, 8 * i, 8);
    tsl_term loaded = stored[0], other_way = two(TSL_EXPR_CONCAT, stored[3], stored[2]);
    for (unsigned i = 1; i < 4; i++)
        loaded = two(TSL_EXPR_CONCAT, stored[i], loaded);
    other_way = two(TSL_EXPR_CONCAT, other_way, two(TSL_EXPR_CONCAT, stored[1], stored[0]));
    assert_same(loaded, x);
    assert_same(other_way, x);
    // A sign-extended byte as an int, byte by byte.
    tsl_term wide = one(TSL_EXPR_SEXT, 32, byte);
    loaded = cut(wide, 0, 8);
    for (unsigned i = 1; i < 4; i++)
        loaded = two(TSL_EXPR_CONCAT, cut(wide, 8 * i, 8), loaded);
    assert_same(loaded, wide);
    // Shifts and ors, as decoders are written.
    tsl_term decoded = k(32, 0);
    for (unsigned i = 0; i < 4; i++)
        decoded = two(TSL_EXPR_OR, decoded,
                      two(TSL_EXPR_SHL, one(TSL_EXPR_ZEXT, 32, stored[i]), k(32, 8 * i)));
    assert_same(decoded, x);
}

static void comparisons_get_narrow(void **state) {
    (void)state;
    tsl_term wide = one(TSL_EXPR_ZEXT, 32, byte), sign = one(TSL_EXPR_SEXT, 32, byte);
    assert_same(two(TSL_EXPR_SLT, wide, k(32, 65)), two(TSL_EXPR_ULT, byte, k(8, 65)));
    assert_same(two(TSL_EXPR_ULT, wide, k(32, 300)), k(1, 1));
    assert_same(two(TSL_EXPR_SLT, wide, k(32, 0)), k(1, 0));
    assert_same(two(TSL_EXPR_SLT, k(32, 0xffffffff), wide), k(1, 1));
    assert_same(two(TSL_EXPR_SLT, sign, k(32, 5)), two(TSL_EXPR_SLT, byte, k(8, 5)));
    assert_same(two(TSL_EXPR_SLT, sign, k(32, 128)), k(1, 1));
    assert_same(two(TSL_EXPR_ULT, sign, k(32, 1000)), no(two(TSL_EXPR_SLT, byte, k(8, 0))));
    assert_same(two(TSL_EXPR_SLT, wide, one(TSL_EXPR_ZEXT, 32, cut(x, 0, 8))),
                two(TSL_EXPR_ULT, byte, cut(x, 0, 8)));
    assert_same(two(TSL_EXPR_ULT, two(TSL_EXPR_MUL, x, k(32, 4)), k(32, 9)),
                two(TSL_EXPR_ULT, cut(x, 0, 30), k(30, 3)));
    assert_same(two(TSL_EXPR_ULT, two(TSL_EXPR_MUL, x, k(32, 4)), k(32, 8)),
                two(TSL_EXPR_ULT, cut(x, 0, 30), k(30, 2)));
}

static void tables_are_looked_up(void **state) {
    (void)state;
    const uint16_t table[] = {10, 20, 30, 20};
    tsl_term t = tsl_term_lookup(terms, 2, table, 4, byte);
    assert_int_equal(tsl_term_width(terms, t), 16);
    assert_same(t, tsl_term_lookup(terms, 2, table, 4, one(TSL_EXPR_ZEXT, 64, byte)));
    assert_same(tsl_term_lookup(terms, 2, table, 4, k(8, 2)), k(16, 30));
    assert_same(tsl_term_lookup(terms, 2, table, 4, k(8, 4)), k(16, 0));
    assert_same(two(EQ, t, k(16, 30)), two(EQ, byte, k(8, 2)));
    assert_same(two(EQ, t, k(16, 31)), k(1, 0));
    assert_false(tsl_term_is_const(terms, two(EQ, t, k(16, 20))));
    assert_false(tsl_term_is_const(terms, two(EQ, t, k(16, 0))));
}

// ---------------------------------------------------------------- eval, variables, text

static void variables_are_found(void **state) {
    (void)state;
    tsl_term a = two(ADD, x, y), b = two(TSL_EXPR_MUL, y, x);
    tsl_varset set = tsl_term_vars(terms, two(TSL_EXPR_ULT, a, one(TSL_EXPR_ZEXT, 32, byte)));
    assert_int_equal(set.n, 3);
    assert_int_equal(set.vars[0], 0);
    assert_int_equal(set.vars[2], 2);
    assert_ptr_equal(tsl_term_vars(terms, a).vars, tsl_term_vars(terms, b).vars);
    assert_int_equal(tsl_term_vars(terms, k(8, 1)).n, 0);
    assert_int_equal(tsl_terms_var_width(terms, 2), 8);
    assert_int_equal(tsl_terms_var_width(terms, 99), 0);
}

// A term as deep as a loop can make it: no function may recurse.
static void deep_terms_are_fine(void **state) {
    (void)state;
    tsl_term t = x;
    uint32_t want = 7;
    for (uint32_t i = 0; i < 200000; i++) {
        t = two(TSL_EXPR_XOR, two(ADD, t, k(32, 3)), two(ADD, y, k(32, i)));
        want = (want + 3) ^ (5 + i);
    }
    tsl_evaluator ev;
    tsl_evaluator_init(&ev, terms);
    const tsl_value model[] = {{7, 0}, {5, 0}};
    assert_int_equal(tsl_term_eval(&ev, t, model, 2).lo, want);
    assert_int_equal(tsl_term_vars(terms, t).n, 2);
    tsl_buf text = {0};
    tsl_print_term(terms, t, NULL, &text);
    assert_true(text.len < 2000);
    tsl_term ask = two(EQ, t, k(32, 1));
    tsl_buf_clear(&text);
    tsl_print_smt(terms, &ask, 1, NULL, "unknown", &text);
    assert_true(text.len < 200 * tsl_terms_count(terms));
    tsl_buf_drop(&text);
    tsl_evaluator_drop(&ev);
}

// A chain of constants is peeled off without recursion, too.
static void deep_equations_are_peeled(void **state) {
    (void)state;
    tsl_term t = x;
    uint32_t value = 1000;
    for (uint32_t i = 0; i < 100000; i++) {
        t = two(ADD, two(TSL_EXPR_XOR, t, k(32, 0x55)), k(32, 7));
        value = (value ^ 0x55) + 7;
    }
    assert_same(two(EQ, t, k(32, value)), two(EQ, x, k(32, 1000)));
}

static void text_is_for_people(void **state) {
    (void)state;
    tsl_vars vars = {0};
    tsl_expr_object object = {.op = TSL_EXPR_OBJECT, .size = 4};
    tsl_vars_describe(&vars, tsl_vars_input(&vars, 0, 0), &object, "x");
    tsl_vars_intern(&vars, 0, 0, 32);
    tsl_vars_describe(&vars, tsl_vars_input(&vars, 2, 1), &object, "");
    tsl_vars_intern(&vars, 1, 0, 32);
    object.size = 10;
    tsl_vars_describe(&vars, tsl_vars_input(&vars, 0, 1), &object, "buf");
    tsl_vars_intern(&vars, 2, 3, 8);
    struct {
        tsl_term t;
        const char *text;
    } cases[] = {
        {two(TSL_EXPR_SLT, two(ADD, x, k(32, 1)), two(TSL_EXPR_MUL, y, k(32, 3))),
         "x + 1 < t2.in1 * 3"},
        {two(TSL_EXPR_MUL, two(ADD, x, k(32, 1)), y), "t2.in1 * (x + 1)"},
        {no(two(EQ, x, k(32, 7))), "x != 7"},
        {two(ADD, x, k(32, (uint32_t)-2)), "x - 2"},
        {two(TSL_EXPR_SLT, x, k(32, (uint32_t)-5)), "x < -5"},
        {two(TSL_EXPR_ULT, x, k(32, 0xfffffff0)), "x < 0xfffffff0u"},
        {two(EQ, one(TSL_EXPR_SEXT, 32, byte), k(32, 'A')), "buf[3] == 65"},
        {two(TSL_EXPR_AND, two(EQ, x, y), two(EQ, byte, k(8, 1))), "x == t2.in1 && buf[3] == 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsl_buf text = {0};
        tsl_print_term(terms, cases[i].t, &vars, &text);
        assert_string_equal(tsl_buf_text(&text), cases[i].text);
        tsl_buf_drop(&text);
    }
    tsl_vars_drop(&vars);
}

static void scripts_are_smt_lib(void **state) {
    (void)state;
    tsl_term conds[] = {two(TSL_EXPR_ULT, x, y), no(two(EQ, byte, k(8, 3)))};
    tsl_buf text = {0};
    tsl_print_smt(terms, conds, 2, NULL, "sat", &text);
    const char *s = tsl_buf_text(&text);
    assert_non_null(strstr(s, "(set-logic QF_BV)\n(set-info :status sat)\n"));
    assert_non_null(strstr(s, "(declare-const v2 (_ BitVec 8))\n"));
    assert_non_null(strstr(s, "(ite (bvult v0 v1) #b1 #b0)"));
    assert_non_null(strstr(s, "(ite (= v2 #b00000011) #b1 #b0)"));
    assert_non_null(strstr(s, "(check-sat)\n"));
    tsl_buf_drop(&text);
}

// ---------------------------------------------------------------- nodes of a Trace

// An int named "n" with the value 41, and a byte: label 3 is n, 4 is the byte; others are built on
// them.
enum { OBJECT = 1, NAME, INT, BYTE, ONE, SUM, SEVEN, LESS, TABLE, ELEMENTS, RESULT, NODES };

static void fill(tsl_expr *n) {
    memset(n, 0, NODES * sizeof *n);
    tsl_expr_object object = {.op = TSL_EXPR_OBJECT,
                              .kind = TSL_INPUT_SIGNED,
                              .index = 3,
                              .size = 5,
                              .raw = 1,
                              .element = 4};
    memcpy(&n[OBJECT], &object, sizeof object);
    strcpy((char *)&n[NAME], "n");
    n[INT] = (tsl_expr){.op = TSL_EXPR_INPUT, .width = 32, .a = OBJECT, .lo = 41};
    n[BYTE] = (tsl_expr){.op = TSL_EXPR_INPUT, .width = 8, .a = OBJECT, .b = 4, .lo = 2};
    n[ONE] = (tsl_expr){.op = TSL_EXPR_CONST, .width = 32, .lo = 1};
    n[SUM] = (tsl_expr){.op = TSL_EXPR_ADD, .width = 32, .a = INT, .b = ONE, .lo = 42};
    n[SEVEN] = (tsl_expr){.op = TSL_EXPR_CONST, .width = 32, .lo = 7};
    n[LESS] = (tsl_expr){.op = TSL_EXPR_SLT, .width = 1, .a = SUM, .b = SEVEN, .lo = 0};
    n[TABLE] =
        (tsl_expr){.op = TSL_EXPR_LOOKUP, .width = 8, .extra = 1, .a = BYTE, .b = 5, .lo = 'c'};
    memcpy(&n[ELEMENTS], "abcde", 5);
    n[RESULT] = (tsl_expr){.op = TSL_EXPR_ZEXT, .width = 16, .a = TABLE, .lo = 'c'};
}

typedef struct reader {
    tsl_import im;
    tsl_vars vars;
    tsl_evaluator ev;
    tsl_err err;
} reader;

static void open_reader(reader *r) {
    *r = (reader){0};
    tsl_import_init(&r->im);
    tsl_evaluator_init(&r->ev, terms);
}

static void close_reader(reader *r) {
    tsl_import_drop(&r->im);
    tsl_vars_drop(&r->vars);
    tsl_evaluator_drop(&r->ev);
}

// Variables of readers start where those of the other tests end, so these have a pool of their own.
static bool read_nodes(reader *r, const tsl_expr *nodes, uint32_t n) {
    tsl_err_clear(&r->err);
    return tsl_import_read(&r->im, terms, &r->vars, nodes, n, &r->err);
}

static int open_pool(void **state) {
    (void)state;
    terms = tsl_terms_new();
    return 0;
}

static void nodes_become_terms(void **state) {
    (void)state;
    tsl_expr n[NODES];
    reader r;
    open_reader(&r);
    fill(n);
    assert_true(read_nodes(&r, n, NODES));
    assert_int_equal(r.vars.vars.len, 2);
    assert_string_equal(r.vars.inputs.data[0].name, "n");
    assert_int_equal(r.vars.inputs.data[0].index, 3);
    assert_int_equal(tsl_import_term(&r.im, OBJECT).i, 0);
    assert_int_equal(tsl_import_term(&r.im, NAME).i, 0);
    assert_int_equal(tsl_import_term(&r.im, 0).i, 0);
    assert_int_equal(tsl_import_term(&r.im, NODES).i, 0);
    tsl_term sum = tsl_import_term(&r.im, SUM);
    assert_int_equal(tsl_term_op(terms, sum), TSL_EXPR_ADD);
    assert_int_equal(tsl_import_value(&r.im, SUM).lo, 42);
    tsl_model model = {0};
    tsl_import_model(&r.im, &r.vars, &model);
    assert_int_equal(model.len, 2);
    assert_int_equal(model.data[0].lo, 41);
    assert_int_equal(model.data[1].lo, 2);
    tsl_vec_drop(&model);
    uint32_t label = 0;
    assert_true(tsl_import_check(&r.im, &r.vars, &r.ev, &label));
    n[SUM].lo = 43;
    assert_true(read_nodes(&r, n, NODES));
    assert_false(tsl_import_check(&r.im, &r.vars, &r.ev, &label));
    assert_int_equal(label, SUM);
    close_reader(&r);
}

static void what_is_the_same_is_kept(void **state) {
    (void)state;
    tsl_expr n[NODES];
    reader r;
    uint32_t label;
    open_reader(&r);
    fill(n);
    assert_true(read_nodes(&r, n, NODES));
    size_t built = r.im.rebuilt, terms_before = tsl_terms_count(terms);
    assert_true(built > 0);
    // Only values change.
    n[INT].lo = 3;
    n[SUM].lo = 4;
    n[LESS].lo = 1;
    n[OBJECT].hi = 0x7fff0000; // the address
    assert_true(read_nodes(&r, n, NODES));
    assert_int_equal(r.im.rebuilt, 0);
    assert_int_equal(tsl_terms_count(terms), terms_before);
    assert_int_equal(tsl_import_value(&r.im, LESS).lo, 1);
    assert_true(tsl_import_check(&r.im, &r.vars, &r.ev, &label));
    // A constant changes: only terms that depend on it are built again.
    n[SEVEN].lo = 4;
    n[LESS].lo = 0;
    tsl_term less = tsl_import_term(&r.im, LESS), result = tsl_import_term(&r.im, RESULT);
    assert_true(read_nodes(&r, n, NODES));
    assert_true(r.im.rebuilt <= 2);
    assert_true(tsl_import_term(&r.im, LESS).i != less.i);
    assert_int_equal(tsl_import_term(&r.im, RESULT).i, result.i);
    assert_true(tsl_import_check(&r.im, &r.vars, &r.ev, &label));
    // A table changes.
    memcpy(&n[ELEMENTS], "xyzde", 5);
    n[TABLE].lo = n[RESULT].lo = 'z';
    assert_true(read_nodes(&r, n, NODES));
    assert_true(tsl_import_term(&r.im, RESULT).i != result.i);
    assert_true(tsl_import_check(&r.im, &r.vars, &r.ev, &label));
    // The name of an input changes: the variables stay, and so do their values.
    strcpy((char *)&n[NAME], "m");
    assert_true(read_nodes(&r, n, NODES));
    assert_string_equal(r.vars.inputs.data[0].name, "m");
    assert_int_equal(r.vars.vars.len, 2);
    assert_int_equal(r.im.inputs.len, 2);
    assert_true(tsl_import_check(&r.im, &r.vars, &r.ev, &label));
    strcpy((char *)&n[NAME], "a\nb\xff");
    assert_true(read_nodes(&r, n, NODES));
    assert_string_equal(r.vars.inputs.data[0].name, "a?b?");
    // The run gets shorter, and longer again.
    assert_true(read_nodes(&r, n, SUM));
    assert_int_equal(tsl_import_term(&r.im, SUM).i, 0);
    assert_true(read_nodes(&r, n, NODES));
    assert_true(tsl_import_check(&r.im, &r.vars, &r.ev, &label));
    close_reader(&r);
}

static void bad_nodes_are_refused(void **state) {
    (void)state;
    static const struct {
        uint32_t label;
        tsl_expr node;
    } cases[] = {
        {INT, {.op = TSL_EXPR_COUNT, .width = 32}},
        {INT, {.op = 255, .width = 32}},
        {INT, {.op = TSL_EXPR_NONE, .width = 32}},
        {INT, {.op = TSL_EXPR_INPUT, .width = 32, .a = NAME}},
        {INT, {.op = TSL_EXPR_INPUT, .width = 32, .a = 0xffffffff}},
        {INT, {.op = TSL_EXPR_INPUT, .width = 32, .a = OBJECT, .b = 2}},
        {INT, {.op = TSL_EXPR_INPUT, .width = 32, .a = OBJECT, .b = 0xfffffffe}},
        {INT, {.op = TSL_EXPR_INPUT, .width = 12, .a = OBJECT}},
        {INT, {.op = TSL_EXPR_INPUT, .width = 0, .a = OBJECT}},
        {INT, {.op = TSL_EXPR_INPUT, .width = 32, .a = OBJECT, .lo = 1ull << 32}},
        {INT, {.op = TSL_EXPR_INPUT, .width = 32, .a = OBJECT, .hi = 1}},
        {BYTE, {.op = TSL_EXPR_INPUT, .width = 8, .a = OBJECT, .b = 3}},  // shares a byte
        {BYTE, {.op = TSL_EXPR_INPUT, .width = 32, .a = OBJECT, .b = 0}}, // is the same
        {ONE, {.op = TSL_EXPR_CONST, .width = 0}},
        {ONE, {.op = TSL_EXPR_CONST, .width = 129}},
        {ONE, {.op = TSL_EXPR_CONST, .width = 8, .lo = 256}},
        {SUM, {.op = TSL_EXPR_ADD, .width = 32, .a = INT, .b = SUM}},
        {SUM, {.op = TSL_EXPR_ADD, .width = 32, .a = INT, .b = RESULT}},
        {SUM, {.op = TSL_EXPR_ADD, .width = 32, .a = INT, .b = 0}},
        {SUM, {.op = TSL_EXPR_ADD, .width = 32, .a = INT, .b = OBJECT}},
        {SUM, {.op = TSL_EXPR_ADD, .width = 32, .a = INT, .b = NAME}},
        {SUM, {.op = TSL_EXPR_ADD, .width = 32, .a = INT, .b = BYTE}},
        {SUM, {.op = TSL_EXPR_ADD, .width = 16, .a = INT, .b = ONE}},
        {SUM, {.op = TSL_EXPR_EXTRACT, .width = 8, .extra = 25, .a = INT}},
        {SUM, {.op = TSL_EXPR_EXTRACT, .width = 8, .extra = 0xffff, .a = INT}},
        {SUM, {.op = TSL_EXPR_ZEXT, .width = 32, .a = INT}},
        {SUM, {.op = TSL_EXPR_ITE, .width = 32, .a = INT, .b = INT, .c = ONE}},
        {LESS, {.op = TSL_EXPR_SLT, .width = 8, .a = SUM, .b = SEVEN}},
        {TABLE, {.op = TSL_EXPR_LOOKUP, .width = 8, .extra = 1, .a = BYTE, .b = 0}},
        {TABLE, {.op = TSL_EXPR_LOOKUP, .width = 8, .extra = 0, .a = BYTE, .b = 1}},
        {TABLE, {.op = TSL_EXPR_LOOKUP, .width = 16, .extra = 1, .a = BYTE, .b = 5}},
        {TABLE, {.op = TSL_EXPR_LOOKUP, .width = 8, .extra = 1, .a = BYTE, .b = 0xffffffff}},
        {TABLE, {.op = TSL_EXPR_LOOKUP, .width = 8, .extra = 0xffff, .a = BYTE, .b = 0xffffffff}},
        {TABLE, {.op = TSL_EXPR_LOOKUP, .width = 8, .extra = 1, .a = NAME, .b = 5}},
        {RESULT, {.op = TSL_EXPR_ZEXT, .width = 16, .a = ELEMENTS}},
        {OBJECT, {.op = TSL_EXPR_OBJECT, .width = TSL_INPUT_KINDS, .b = 5, .c = 1}},
        {OBJECT, {.op = TSL_EXPR_OBJECT, .b = 5, .c = 0xffffffff}},
        {OBJECT, {.op = TSL_EXPR_OBJECT, .b = 5, .c = NODES}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tsl_expr n[NODES];
        reader r;
        open_reader(&r);
        for (unsigned again = 0; again < 2; again++) { // first as the first run, then as the second
            fill(n);
            if (again)
                assert_true(read_nodes(&r, n, NODES));
            n[cases[i].label] = cases[i].node;
            if (read_nodes(&r, n, NODES))
                fail_msg("case %zu was taken", i);
            assert_int_equal(r.err.code, TSL_EINPUT);
            assert_int_equal(tsl_import_term(&r.im, ONE).i, 0);
            fill(n);
            assert_true(read_nodes(&r, n, NODES));
        }
        close_reader(&r);
    }
    // A name without an end.
    tsl_expr n[NODES];
    reader r;
    open_reader(&r);
    fill(n);
    memset(&n[NAME], 'x', sizeof n[NAME]);
    assert_false(read_nodes(&r, n, NODES));
    // A name must not be read as an object, even if it looks like one.
    fill(n);
    memcpy(&n[NAME], &n[OBJECT], sizeof n[NAME]);
    assert_true(read_nodes(&r, n, NODES));
    n[INT].a = NAME;
    assert_false(read_nodes(&r, n, NODES));
    assert_true(read_nodes(&r, n, 0));
    close_reader(&r);
}

// Any bytes are accepted or refused, and if they are accepted a fresh reader reads the same.
static void scribbled_nodes_do_no_harm(void **state) {
    (void)state;
    tsl_rng rng;
    tsl_rng_init(&rng, 42);
    reader r;
    open_reader(&r);
    for (unsigned i = 0; i < 20000; i++) {
        tsl_expr n[NODES];
        fill(n);
        unsigned changes = 1 + (unsigned)tsl_rng_below(&rng, 3);
        for (unsigned c = 0; c < changes; c++) {
            // Variables keep their width and number, so that one pool will do.
            uint32_t label = ONE + (uint32_t)tsl_rng_below(&rng, NODES - ONE);
            size_t at = tsl_rng_below(&rng, 4) ? tsl_rng_below(&rng, 16) : tsl_rng_below(&rng, 32);
            uint8_t *byte_at = (uint8_t *)&n[label] + at;
            *byte_at =
                (uint8_t)(tsl_rng_below(&rng, 2) ? tsl_rng_below(&rng, NODES) : tsl_rng_next(&rng));
        }
        reader fresh;
        open_reader(&fresh);
        bool ok = read_nodes(&r, n, NODES);
        assert_int_equal(ok, read_nodes(&fresh, n, NODES));
        for (uint32_t label = 0; label < NODES; label++)
            assert_int_equal(tsl_import_term(&r.im, label).i, tsl_import_term(&fresh.im, label).i);
        close_reader(&fresh);
    }
    close_reader(&r);
}

int main(void) {
#define TERMS(name) cmocka_unit_test_setup_teardown(name, open_terms, close_terms)
#define NODES_(name) cmocka_unit_test_setup_teardown(name, open_pool, close_terms)
    const struct CMUnitTest tests[] = {
        TERMS(equal_terms_are_one),
        TERMS(arithmetic_gets_simpler),
        TERMS(truncated_arithmetic_is_narrow),
        TERMS(negations_are_comparisons),
        TERMS(equations_are_peeled),
        TERMS(conditions_in_int_are_conditions),
        TERMS(words_survive_memory),
        TERMS(comparisons_get_narrow),
        TERMS(tables_are_looked_up),
        TERMS(variables_are_found),
        TERMS(deep_terms_are_fine),
        TERMS(deep_equations_are_peeled),
        TERMS(text_is_for_people),
        TERMS(scripts_are_smt_lib),
        NODES_(nodes_become_terms),
        NODES_(what_is_the_same_is_kept),
        NODES_(bad_nodes_are_refused),
        NODES_(scribbled_nodes_do_no_harm),
    };
    return cmocka_run_group_tests_name("term", tests, NULL, NULL);
}
