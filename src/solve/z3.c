// Asks Z3 the questions that no earlier link could answer.  No other file uses Z3.
//
// One context serves many questions and keeps the translation of every term, because the next
// question has most of its terms in common with the last.  Conditions (width 1) are Bool in Z3, all
// other terms are bit-vectors.  A context that has grown large is thrown away.
//
// Two engines of Z3 are used.  Measured on small programs (some ten thousand branches of lists,
// trees and parsers), the plain engine answers the many small questions in 1 to 2 ms, where the
// thorough one takes 5 to 15, but is up to eight times slower on the few questions that bit-blast
// well (CRC tables).  So the plain engine is asked first, with a fixed number of its own steps as a
// limit: a limit in time would make answers differ from run to run.
//
// Z3 does not always respect its limits.  Products and quotients of wide numbers may blow up before
// it looks at the limit, and reading a question is not counted (10 us for each bit of an operator,
// and more if operators are deep: 3,000 comparisons, 30 nested additions, or 14 nested divisions
// take a second, and 60 additions ten).  So only harmless questions are asked in this process, with
// the limit of steps.  The thorough engine, and all other questions, run in a process of their own,
// which is killed when it is late (base/aside.h).  Z3 gets no limit in time at all: its timers are
// threads, which a forked process would not have.
#include <string.h>
#include <unistd.h>
#include <z3.h>

#include "base/aside.h"
#include "base/deadline.h"
#include "solve/link.h"

enum {
    MOST_TRANSLATED = 200000,
    QUICK_STEPS = 200000,
    MOST_BITS = 8192,   // bits that all operators of a harmless question have
    MOST_DEEP = 8192,   // the same for carries of sums and products, each times its depth
    HEAVY = 16,         // weight from which a question is not harmless
    LEAST_QUESTIONS = 8 // one question gets at most 1/8 of the time that is left
};

struct tsl_z3 {
    tsl_terms *terms;
    double seconds;
    Z3_context ctx; // NULL until the first question
    Z3_solver quick, thorough;
    TSL_VEC(Z3_ast) asts;     // by term; NULL: not translated yet
    TSL_VEC(uint8_t) weights; // by term: weight of the products and quotients in it, up to HEAVY
    TSL_VEC(uint8_t) depths;  // by term: nesting depth of operators with carries
    size_t translated;
    tsl_u32_vec todo;
    tsl_u32_vec seen; // by term: number of the last question that contained it
    uint32_t questions;
};

// ---------------------------------------------------------------- the context

// Errors are checked where they matter; the default handler would end the process.
static void ignore(Z3_context ctx, Z3_error_code code) {
    (void)ctx;
    (void)code;
}

static void limit_steps(tsl_z3 *z, Z3_solver solver, unsigned steps) {
    Z3_params params = Z3_mk_params(z->ctx);
    Z3_params_inc_ref(z->ctx, params);
    Z3_params_set_uint(z->ctx, params, Z3_mk_string_symbol(z->ctx, "rlimit"), steps);
    Z3_solver_set_params(z->ctx, solver, params);
    Z3_params_dec_ref(z->ctx, params);
}

static void open_context(tsl_z3 *z) {
    Z3_config config = Z3_mk_config();
    z->ctx = Z3_mk_context(config); // terms live as long as it does
    Z3_del_config(config);
    Z3_set_error_handler(z->ctx, ignore);
    z->quick = Z3_mk_simple_solver(z->ctx);
    Z3_solver_inc_ref(z->ctx, z->quick);
    z->thorough = Z3_mk_solver_for_logic(z->ctx, Z3_mk_string_symbol(z->ctx, "QF_BV"));
    Z3_solver_inc_ref(z->ctx, z->thorough);
    limit_steps(z, z->quick, QUICK_STEPS);
}

static void close_context(tsl_z3 *z) {
    if (!z->ctx)
        return;
    tsl_vec_clear(&z->asts);
    tsl_vec_clear(&z->weights);
    tsl_vec_clear(&z->depths);
    z->translated = 0;
    Z3_solver_dec_ref(z->ctx, z->quick);
    Z3_solver_dec_ref(z->ctx, z->thorough);
    Z3_del_context(z->ctx);
    z->ctx = NULL;
}

// ---------------------------------------------------------------- leaves

static Z3_ast number(const tsl_z3 *z, tsl_value v, unsigned width) {
    if (width <= 64)
        return Z3_mk_unsigned_int64(z->ctx, v.lo, Z3_mk_bv_sort(z->ctx, width));
    return Z3_mk_concat(z->ctx,
                        Z3_mk_unsigned_int64(z->ctx, v.hi, Z3_mk_bv_sort(z->ctx, width - 64)),
                        Z3_mk_unsigned_int64(z->ctx, v.lo, Z3_mk_bv_sort(z->ctx, 64)));
}

static Z3_ast variable(const tsl_z3 *z, uint32_t var, unsigned width) {
    Z3_sort sort = width == 1 ? Z3_mk_bool_sort(z->ctx) : Z3_mk_bv_sort(z->ctx, width);
    return Z3_mk_const(z->ctx, Z3_mk_int_symbol(z->ctx, (int)var), sort);
}

// Conversions between a Bool and a word of one bit.
static Z3_ast to_bool(const tsl_z3 *z, Z3_ast bit) {
    return Z3_mk_eq(z->ctx, bit, number(z, (tsl_value){1, 0}, 1));
}

static Z3_ast to_bit(const tsl_z3 *z, Z3_ast truth) {
    return Z3_mk_ite(z->ctx, truth, number(z, (tsl_value){1, 0}, 1), number(z, (tsl_value){0}, 1));
}

// ---------------------------------------------------------------- operators

// Elements from..from+2^bits-1 of a table, chosen by the low bits of the index.
static Z3_ast choose_element(const tsl_z3 *z, tsl_term t, Z3_ast index, unsigned bits,
                             uint64_t from) {
    if (bits == 0 || from >= tsl_term_table_len(z->terms, t)) {
        tsl_value v = {0};
        if (from < tsl_term_table_len(z->terms, t))
            v = tsl_term_table_at(z->terms, t, (uint32_t)from);
        return number(z, v, tsl_term_width(z->terms, t));
    }
    Z3_ast low = choose_element(z, t, index, bits - 1, from);
    Z3_ast high = choose_element(z, t, index, bits - 1, from + ((uint64_t)1 << (bits - 1)));
    if (low == high)
        return low;
    return Z3_mk_ite(z->ctx, to_bool(z, Z3_mk_extract(z->ctx, bits - 1, bits - 1, index)), high,
                     low);
}

static Z3_ast look_up(const tsl_z3 *z, tsl_term t, Z3_ast index, unsigned index_width) {
    uint32_t n = tsl_term_table_len(z->terms, t);
    unsigned bits = 0;
    while (bits < index_width && (uint64_t)1 << bits < n)
        bits++;
    Z3_ast inside = choose_element(z, t, index, bits, 0);
    if (bits == index_width)
        return inside;
    Z3_ast rest = Z3_mk_extract(z->ctx, index_width - 1, bits, index);
    return Z3_mk_ite(z->ctx, Z3_mk_eq(z->ctx, rest, number(z, (tsl_value){0}, index_width - bits)),
                     inside, number(z, (tsl_value){0}, tsl_term_width(z->terms, t)));
}

// Operators whose operands and result are conditions, as Bool.
static Z3_ast combine_bools(const tsl_z3 *z, enum tsl_expr_op op, Z3_ast a, Z3_ast b, Z3_ast c) {
    switch (op) {
    case TSL_EXPR_NOT:
        return Z3_mk_not(z->ctx, a);
    case TSL_EXPR_AND:
        return Z3_mk_and(z->ctx, 2, (Z3_ast[]){a, b});
    case TSL_EXPR_OR:
        return Z3_mk_or(z->ctx, 2, (Z3_ast[]){a, b});
    case TSL_EXPR_XOR:
        return Z3_mk_xor(z->ctx, a, b);
    case TSL_EXPR_EQ:
        return Z3_mk_iff(z->ctx, a, b);
    case TSL_EXPR_ITE:
        return Z3_mk_ite(z->ctx, a, b, c);
    default:
        return NULL; // rare: done on words
    }
}

typedef Z3_ast binary(Z3_context, Z3_ast, Z3_ast);

static binary *const binaries[TSL_EXPR_COUNT] = {
    [TSL_EXPR_ADD] = Z3_mk_bvadd,     [TSL_EXPR_SUB] = Z3_mk_bvsub,
    [TSL_EXPR_MUL] = Z3_mk_bvmul,     [TSL_EXPR_UDIV] = Z3_mk_bvudiv,
    [TSL_EXPR_SDIV] = Z3_mk_bvsdiv,   [TSL_EXPR_UREM] = Z3_mk_bvurem,
    [TSL_EXPR_SREM] = Z3_mk_bvsrem,   [TSL_EXPR_AND] = Z3_mk_bvand,
    [TSL_EXPR_OR] = Z3_mk_bvor,       [TSL_EXPR_XOR] = Z3_mk_bvxor,
    [TSL_EXPR_SHL] = Z3_mk_bvshl,     [TSL_EXPR_LSHR] = Z3_mk_bvlshr,
    [TSL_EXPR_ASHR] = Z3_mk_bvashr,   [TSL_EXPR_EQ] = Z3_mk_eq,
    [TSL_EXPR_ULT] = Z3_mk_bvult,     [TSL_EXPR_ULE] = Z3_mk_bvule,
    [TSL_EXPR_SLT] = Z3_mk_bvslt,     [TSL_EXPR_SLE] = Z3_mk_bvsle,
    [TSL_EXPR_CONCAT] = Z3_mk_concat,
};

// Operators on words.  Comparisons give a Bool, all others a word, even if it has one bit.
static Z3_ast combine_words(const tsl_z3 *z, tsl_term t, const Z3_ast *words, Z3_ast cond) {
    unsigned width = tsl_term_width(z->terms, t), extra = tsl_term_extra(z->terms, t);
    unsigned inner = tsl_term_width(z->terms, tsl_term_operand(z->terms, t, 0));
    enum tsl_expr_op op = tsl_term_op(z->terms, t);
    switch (op) {
    case TSL_EXPR_NOT:
        return Z3_mk_bvnot(z->ctx, words[0]);
    case TSL_EXPR_EXTRACT:
        return Z3_mk_extract(z->ctx, extra + width - 1, extra, words[0]);
    case TSL_EXPR_ZEXT:
        return Z3_mk_zero_ext(z->ctx, width - inner, words[0]);
    case TSL_EXPR_SEXT:
        return Z3_mk_sign_ext(z->ctx, width - inner, words[0]);
    case TSL_EXPR_ITE:
        return Z3_mk_ite(z->ctx, cond, words[1], words[2]);
    case TSL_EXPR_LOOKUP:
        return look_up(z, t, words[0], inner);
    default:
        return binaries[op](z->ctx, words[0], words[1]);
    }
}

static Z3_ast combine(const tsl_z3 *z, tsl_term t) {
    enum tsl_expr_op op = tsl_term_op(z->terms, t);
    Z3_ast plain[3] = {0}, words[3] = {0};
    bool all_bits = tsl_term_width(z->terms, t) == 1;
    for (unsigned k = 0; k < tsl_term_arity(z->terms, t); k++) {
        tsl_term x = tsl_term_operand(z->terms, t, k);
        plain[k] = z->asts.data[x.i];
        all_bits &= tsl_term_width(z->terms, x) == 1;
    }
    Z3_ast out = all_bits ? combine_bools(z, op, plain[0], plain[1], plain[2]) : NULL;
    if (out)
        return out;
    for (unsigned k = 0; k < tsl_term_arity(z->terms, t); k++) {
        tsl_term x = tsl_term_operand(z->terms, t, k);
        words[k] = tsl_term_width(z->terms, x) == 1 ? to_bit(z, plain[k]) : plain[k];
    }
    out = combine_words(z, t, words, plain[0]);
    bool is_word = op < TSL_EXPR_EQ || op > TSL_EXPR_SLE;
    return is_word && tsl_term_width(z->terms, t) == 1 ? to_bool(z, out) : out;
}

// ---------------------------------------------------------------- terms

static bool is_ready(tsl_z3 *z, tsl_term t) {
    if (z->asts.data[t.i])
        return true;
    tsl_vec_push(&z->todo, t.i);
    return false;
}

static Z3_ast leaf(const tsl_z3 *z, tsl_term t) {
    unsigned width = tsl_term_width(z->terms, t);
    if (tsl_term_op(z->terms, t) == TSL_EXPR_INPUT)
        return variable(z, tsl_term_variable(z->terms, t), width);
    tsl_value v = tsl_term_value(z->terms, t);
    if (width == 1)
        return v.lo ? Z3_mk_true(z->ctx) : Z3_mk_false(z->ctx);
    return number(z, v, width);
}

static bool is_easy_factor(const tsl_z3 *z, tsl_term t) {
    if (!tsl_term_is_const(z->terms, t))
        return false;
    tsl_value v = tsl_term_value(z->terms, t);
    return __builtin_popcountll(v.lo) + __builtin_popcountll(v.hi) <= 3;
}

// The weight of a product or quotient, unless it is only a few shifts and additions.
static unsigned weight_of(const tsl_z3 *z, tsl_term t) {
    enum tsl_expr_op op = tsl_term_op(z->terms, t);
    if (op < TSL_EXPR_MUL || op > TSL_EXPR_SREM)
        return 0;
    tsl_term a = tsl_term_operand(z->terms, t, 0), b = tsl_term_operand(z->terms, t, 1);
    if (op == TSL_EXPR_MUL && (is_easy_factor(z, a) || is_easy_factor(z, b)))
        return 0;
    return tsl_term_width(z->terms, t) <= 32 ? 1 : HEAVY;
}

// The weight of a term including its operands.
static uint8_t weigh(const tsl_z3 *z, tsl_term t, unsigned arity) {
    unsigned sum = arity > 1 ? weight_of(z, t) : 0;
    for (unsigned k = 0; k < arity; k++)
        sum += z->weights.data[tsl_term_operand(z->terms, t, k).i];
    return sum < HEAVY ? (uint8_t)sum : HEAVY;
}

// The number of bits with carries: each bit of the result depends on all lower bits.
static size_t carries_of(const tsl_z3 *z, tsl_term t) {
    enum tsl_expr_op op = tsl_term_op(z->terms, t);
    size_t width = tsl_term_width(z->terms, t);
    if (op < TSL_EXPR_ADD || op > TSL_EXPR_SREM)
        return 0;
    return weight_of(z, t) ? 8 * width : width;
}

static uint8_t depth_of(const tsl_z3 *z, tsl_term t, unsigned arity) {
    unsigned most = 0;
    for (unsigned k = 0; k < arity; k++) {
        unsigned depth = z->depths.data[tsl_term_operand(z->terms, t, k).i];
        most = depth > most ? depth : most;
    }
    most += arity && carries_of(z, t);
    return most < UINT8_MAX ? (uint8_t)most : UINT8_MAX;
}

static Z3_ast translate(tsl_z3 *z, tsl_term root) {
    size_t all = tsl_terms_count(z->terms);
    tsl_vec_lengthen(&z->asts, all);
    tsl_vec_lengthen(&z->weights, all);
    tsl_vec_lengthen(&z->depths, all);
    tsl_vec_clear(&z->todo);
    is_ready(z, root);
    while (z->todo.len) {
        tsl_term t = {tsl_vec_last(&z->todo)};
        unsigned arity = tsl_term_arity(z->terms, t);
        bool ready = true;
        for (unsigned k = 0; k < arity; k++)
            ready &= is_ready(z, tsl_term_operand(z->terms, t, k));
        if (!ready)
            continue;
        (void)tsl_vec_pop(&z->todo);
        tsl_deadline_ask();
        if (!z->asts.data[t.i]) {
            z->translated++;
            z->weights.data[t.i] = weigh(z, t, arity);
            z->depths.data[t.i] = depth_of(z, t, arity);
        }
        z->asts.data[t.i] = arity ? combine(z, t) : leaf(z, t);
    }
    return z->asts.data[root.i];
}

// ---------------------------------------------------------------- questions

static tsl_value read_number(const tsl_z3 *z, Z3_ast ast, unsigned width) {
    uint64_t small = 0;
    if (width == 1)
        return (tsl_value){Z3_get_bool_value(z->ctx, ast) == Z3_L_TRUE, 0};
    if (Z3_get_numeral_uint64(z->ctx, ast, &small))
        return (tsl_value){small, 0};
    tsl_wide w = 0;
    for (const char *c = Z3_get_numeral_binary_string(z->ctx, ast); *c; c++)
        w = w << 1 | (*c == '1');
    return tsl_value_of(w, width);
}

// A variable's value in a model of Z3.
typedef struct found {
    uint32_t var;
    tsl_value value;
} found;

typedef TSL_VEC(found) found_vec;

static void take_model(tsl_z3 *z, Z3_solver solver, found_vec *out) {
    Z3_model model = Z3_solver_get_model(z->ctx, solver);
    Z3_model_inc_ref(z->ctx, model);
    unsigned n = Z3_model_get_num_consts(z->ctx, model);
    for (unsigned i = 0; i < n; i++) {
        Z3_func_decl decl = Z3_model_get_const_decl(z->ctx, model, i);
        Z3_symbol name = Z3_get_decl_name(z->ctx, decl);
        Z3_ast value = Z3_model_get_const_interp(z->ctx, model, decl);
        if (Z3_get_symbol_kind(z->ctx, name) != Z3_INT_SYMBOL || !value)
            continue;
        Z3_sort sort = Z3_get_range(z->ctx, decl);
        bool is_word = Z3_get_sort_kind(z->ctx, sort) == Z3_BV_SORT;
        tsl_vec_push(
            out, ((found){(uint32_t)Z3_get_symbol_int(z->ctx, name),
                          read_number(z, value, is_word ? Z3_get_bv_sort_size(z->ctx, sort) : 1)}));
    }
    Z3_model_dec_ref(z->ctx, model);
}

// Variables that are not in Z3's model keep their values.
static void set_model(tsl_query *q, const found *found, size_t n) {
    for (size_t i = 0; i < n; i++)
        tsl_query_set(q, found[i].var, found[i].value);
}

static enum tsl_sat ask(tsl_z3 *z, Z3_solver solver, const tsl_term *conds, size_t n,
                        found_vec *model) {
    Z3_solver_push(z->ctx, solver);
    for (size_t i = 0; i < n; i++)
        Z3_solver_assert(z->ctx, solver, z->asts.data[conds[i].i]);
    Z3_lbool answer = Z3_solver_check(z->ctx, solver);
    if (answer == Z3_L_TRUE)
        take_model(z, solver, model);
    Z3_solver_pop(z->ctx, solver, 1);
    if (Z3_get_error_code(z->ctx) != Z3_OK) // the answer can't be trusted
        return TSL_UNKNOWN;
    return answer == Z3_L_TRUE ? TSL_SAT : answer == Z3_L_FALSE ? TSL_UNSAT : TSL_UNKNOWN;
}

// ---------------------------------------------------------------- in another process

typedef struct question {
    tsl_z3 *z;
    const tsl_term *conds;
    size_t n;
    bool both; // ask both engines; otherwise the quick one was asked before
} question;

static void put(int out, const void *bytes, size_t n) {
    for (const char *at = bytes; n;) {
        ssize_t done = write(out, at, n);
        if (done <= 0)
            _exit(1);
        at += done;
        n -= (size_t)done;
    }
}

// Runs in the other process; writes the answer, then the model.
static void answer_aside(void *self, int out) {
    const question *it = self;
    found_vec model = {0};
    enum tsl_sat answer = TSL_UNKNOWN;
    if (it->both)
        answer = ask(it->z, it->z->quick, it->conds, it->n, &model);
    if (answer == TSL_UNKNOWN) {
        tsl_vec_clear(&model);
        answer = ask(it->z, it->z->thorough, it->conds, it->n, &model);
    }
    uint32_t told = answer;
    put(out, &told, sizeof told);
    if (answer == TSL_SAT && model.len)
        put(out, model.data, model.len * sizeof *model.data);
}

static enum tsl_sat ask_aside(tsl_z3 *z, tsl_query *q, const tsl_term *conds, size_t n, bool both) {
    question it = {z, conds, n, both};
    tsl_buf told = {0};
    uint32_t answer = TSL_UNKNOWN;
    found one;
    double share = tsl_deadline_left() / (double)LEAST_QUESTIONS;
    bool ok = tsl_aside(answer_aside, &it,
                        z->seconds > 0 && z->seconds < share ? z->seconds : share, &told) &&
              told.len >= sizeof answer;
    if (ok)
        memcpy(&answer, told.data, sizeof answer);
    for (size_t at = sizeof answer; ok && answer == TSL_SAT && at + sizeof one <= told.len;
         at += sizeof one) {
        memcpy(&one, told.data + at, sizeof one);
        set_model(q, &one, 1);
    }
    tsl_buf_drop(&told);
    return ok ? (enum tsl_sat)answer : TSL_UNKNOWN;
}

// ---------------------------------------------------------------- one question

static size_t bits_of(const tsl_z3 *z, tsl_term t) {
    enum tsl_expr_op op = tsl_term_op(z->terms, t);
    if (op == TSL_EXPR_LOOKUP) // choices between constants: bytes are close enough
        return (size_t)tsl_term_table_len(z->terms, t) * tsl_term_width(z->terms, t) / 8;
    bool costs = (op >= TSL_EXPR_ADD && op <= TSL_EXPR_SLE) || op == TSL_EXPR_ITE;
    size_t width =
        costs ? tsl_term_width(z->terms, tsl_term_operand(z->terms, t, op == TSL_EXPR_ITE)) : 0;
    return op == TSL_EXPR_MUL ? 2 * width : width;
}

// Each term counts once; counting stops when a limit is exceeded.
static bool is_small(tsl_z3 *z, const tsl_term *conds, size_t n) {
    size_t bits = 0, deep = 0;
    z->questions++;
    tsl_vec_lengthen(&z->seen, tsl_terms_count(z->terms));
    tsl_vec_clear(&z->todo);
    for (size_t i = 0; i < n; i++)
        tsl_vec_push(&z->todo, conds[i].i);
    while (z->todo.len && bits <= MOST_BITS && deep <= MOST_DEEP) {
        tsl_term t = {tsl_vec_pop(&z->todo)};
        if (z->seen.data[t.i] == z->questions)
            continue;
        z->seen.data[t.i] = z->questions;
        bits += bits_of(z, t);
        deep += carries_of(z, t) * z->depths.data[t.i];
        for (unsigned k = 0; k < tsl_term_arity(z->terms, t); k++)
            tsl_vec_push(&z->todo, tsl_term_operand(z->terms, t, k).i);
    }
    return bits <= MOST_BITS && deep <= MOST_DEEP;
}

static bool is_harmless(tsl_z3 *z, const tsl_term *conds, size_t n) {
    size_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += z->weights.data[conds[i].i];
    return sum < HEAVY && is_small(z, conds, n);
}

enum tsl_sat tsl_z3_ask(tsl_z3 *z, tsl_query *q, const tsl_term *conds, size_t n) {
    if (z->translated > MOST_TRANSLATED || (z->ctx && Z3_get_error_code(z->ctx) != Z3_OK))
        close_context(z);
    if (!z->ctx)
        open_context(z);
    for (size_t i = 0; i < n; i++)
        translate(z, conds[i]);
    if (!is_harmless(z, conds, n))
        return ask_aside(z, q, conds, n, true);
    found_vec model = {0};
    enum tsl_sat answer = ask(z, z->quick, conds, n, &model);
    if (answer == TSL_SAT)
        set_model(q, model.data, model.len);
    tsl_vec_drop(&model);
    return answer == TSL_UNKNOWN ? ask_aside(z, q, conds, n, false) : answer;
}

// ---------------------------------------------------------------- the link

static void begin(void *self, tsl_chain *chain) {
    tsl_z3 *z = chain->z3 = self;
    z->terms = chain->terms;
    z->seconds = chain->options.seconds;
}

static void drop(void *self) {
    tsl_z3 *z = self;
    close_context(z);
    tsl_vec_drop(&z->asts);
    tsl_vec_drop(&z->weights);
    tsl_vec_drop(&z->depths);
    tsl_vec_drop(&z->todo);
    tsl_vec_drop(&z->seen);
}

// A model is accepted only if it satisfies the conditions.
static enum tsl_sat solve(void *self, tsl_query *q) {
    enum tsl_sat answer = tsl_z3_ask(self, q, q->conds.data, q->conds.len);
    return answer == TSL_SAT && !tsl_query_holds(q) ? TSL_UNKNOWN : answer;
}

const tsl_link tsl_link_z3 = {.size = sizeof(tsl_z3), .begin = begin, .drop = drop, .solve = solve};
