// What did samplers find?  It is counted (src/explore), and stored, computed and drawn
// (src/report).
#include "unit.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "explore/tally.h"
#include "report/axis.h"
#include "report/chart.h"
#include "report/evenness.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

// ---------------------------------------------------------------- tallies

static void sample(tsl_tallies *t, unsigned policy, uint64_t order, bool fresh) {
    assert_int_equal(tsl_tally_order(t, policy, order), fresh);
    tsl_tally_pairs(&t->of[policy], t->of[policy].orders * 2, 1);
}

static void each_sampler_is_counted_by_itself(void **state) {
    (void)state;
    tsl_tallies t = {0};
    sample(&t, TSL_POLICY_RANDOM, 77, true);
    sample(&t, TSL_POLICY_RANDOM, 0, true);
    sample(&t, TSL_POLICY_RANDOM, 77, false);
    sample(&t, TSL_POLICY_POS, 0, true);
    assert_int_equal(t.of[TSL_POLICY_RANDOM].runs, 3);
    assert_int_equal(t.of[TSL_POLICY_RANDOM].orders, 2);
    assert_int_equal(t.of[TSL_POLICY_RANDOM].times.data[0], 2);
    assert_int_equal(t.of[TSL_POLICY_RANDOM].times.data[1], 1);
    assert_int_equal(t.of[TSL_POLICY_POS].orders, 1);
    assert_int_equal(t.of[TSL_POLICY_POS].times.data[0], 0);
    assert_int_equal(t.of[TSL_POLICY_PCT].runs, 0);
    tsl_tallies_drop(&t);
}

static void the_curve_is_dense_in_the_beginning_and_short(void **state) {
    (void)state;
    tsl_tallies t = {0};
    for (uint64_t i = 0; i < 1000000; i++)
        sample(&t, TSL_POLICY_PCT, i % 100, i < 100);
    const tsl_tally *pct = &t.of[TSL_POLICY_PCT];
    for (uint64_t i = 0; i < 12; i++) {
        assert_int_equal(pct->curve.data[i].runs, i + 1);
        assert_int_equal(pct->curve.data[i].orders, i + 1);
        assert_int_equal(pct->curve.data[i].successions, 2 * (i + 1));
    }
    for (size_t i = 12; i < pct->curve.len; i++)
        assert_true((double)pct->curve.data[i].runs <
                    1.1 * (double)pct->curve.data[i - 1].runs + 1);
    assert_true(pct->curve.len > 100 && pct->curve.len < 250);
    assert_int_equal(pct->now.runs, 1000000);
    tsl_tallies_drop(&t);
}

static void too_many_orders_end_the_count(void **state) {
    (void)state;
    tsl_tallies t = {0};
    for (uint64_t i = 0; i < TSL_TALLY_ORDERS; i++)
        tsl_tally_order(&t, TSL_POLICY_RANDOM, tsl_hash_u64(1, i));
    sample(&t, TSL_POLICY_RANDOM, tsl_hash_u64(1, 5), false); // known: counts
    sample(&t, TSL_POLICY_RANDOM, 1, false);                  // one too many
    sample(&t, TSL_POLICY_RANDOM, tsl_hash_u64(1, 5), false); // known, but would look too frequent
    sample(&t, TSL_POLICY_POS, tsl_hash_u64(1, 5), false);
    const tsl_tally *random = &t.of[TSL_POLICY_RANDOM];
    assert_int_equal(random->runs, TSL_TALLY_ORDERS + 1);
    assert_int_equal(random->orders, TSL_TALLY_ORDERS);
    assert_int_equal(random->left_out, 2);
    assert_int_equal(random->now.runs, random->runs);
    assert_int_equal(t.of[TSL_POLICY_POS].left_out, 1);
    tsl_tallies_drop(&t);
}

// ---------------------------------------------------------------- figures

static tsl_samplers one_of(const uint32_t *times, size_t n) {
    tsl_samplers samplers = {.program = tsl_strdup("a<b>&\"c\"")};
    tsl_sampled one = {.sampler = tsl_strdup("random")};
    tsl_sampled_count(&one, times, n);
    tsl_vec_push(&one.curve, (tsl_sampled_point){1, 1, 0, 0});
    if (one.runs > 1)
        tsl_vec_push(&one.curve, (tsl_sampled_point){one.runs, one.orders, 3, 2});
    tsl_vec_push(&samplers.list, one);
    return samplers;
}

static tsl_evenness evenness_of(const uint32_t *times, size_t n) {
    tsl_samplers samplers = one_of(times, n);
    tsl_evenness e = tsl_evenness_of(&samplers.list.data[0]);
    tsl_samplers_drop(&samplers);
    return e;
}

static void figures(void **state) {
    (void)state;
    tsl_evenness e = evenness_of((uint32_t[]){25, 0, 25, 25, 25}, 5);
    NEAR(e.evenness, 1);
    NEAR(e.most, 0.25);
    NEAR(e.next, 0);
    assert_int_equal(e.half, 2);
    assert_int_equal(e.once, 0);
    e = evenness_of((uint32_t[]){2, 1, 1, 1, 5}, 5);
    NEAR(e.most, 0.5);
    NEAR(e.next, 0.3);
    NEAR(e.unseen, 3 * 2 / (2. * 2));
    assert_true(fabs(e.evenness - 1.9609640474436811 / log2(5)) < 1e-9);
    assert_int_equal(e.half, 1);
    assert_int_equal(e.once, 3);
    e = evenness_of((uint32_t[]){9}, 1);
    NEAR(e.evenness, 1);
    NEAR(e.most, 1);
    e = evenness_of((uint32_t[]){1}, 1);
    NEAR(e.next, 1);
    NEAR(e.unseen, 0);
}

// If there are very many frequencies, large ones are grouped; sums stay exact.
static void many_frequencies_are_rounded(void **state) {
    (void)state;
    enum { N = 20000 };
    uint32_t *times = tsl_alloc_array(N, sizeof *times);
    uint64_t runs = 0;
    double bits = 0;
    for (uint32_t i = 0; i < N; i++)
        runs += times[i] = i + 1;
    for (uint32_t i = 0; i < N; i++)
        bits -= times[i] / (double)runs * log2(times[i] / (double)runs);
    tsl_samplers samplers = one_of(times, N);
    const tsl_sampled *s = &samplers.list.data[0];
    tsl_evenness e = tsl_evenness_of(s);
    assert_int_equal(s->runs, runs);
    assert_int_equal(s->orders, N);
    assert_true(s->groups.len < 3000);
    assert_int_equal(e.once, 1);
    assert_true(fabs(e.evenness - bits / log2(N)) < 1e-5);
    tsl_samplers_drop(&samplers);
    tsl_free(times);
}

// ---------------------------------------------------------------- axes and the picture

static void marks_are_round(void **state) {
    (void)state;
    double marks[TSL_AXIS_MARKS];
    tsl_axis a = tsl_axis_make(false, 0, 7, 100, 0);
    assert_int_equal(tsl_axis_marks(&a, 5, true, marks), 4);
    NEAR(marks[3], 6);
    NEAR(tsl_axis_at(&a, 3.5), 50);
    NEAR(tsl_axis_at(&a, 8), 0);
    a = tsl_axis_make(false, 0, 2, 0, 1);
    assert_int_equal(tsl_axis_marks(&a, 8, true, marks), 3);
    a = tsl_axis_make(true, 1, 1e6, 0, 6);
    assert_int_equal(tsl_axis_marks(&a, 8, true, marks), 7);
    NEAR(tsl_axis_at(&a, marks[2]), 2);
    assert_true(tsl_axis_marks(&a, 3, true, marks) <= 3);
    a = tsl_axis_make(true, 0.02, 0.3, 0, 1);
    assert_true(tsl_axis_marks(&a, 5, false, marks) >= 3);
    a = tsl_axis_make(true, 1, 1, 0, 1);
    NEAR(tsl_axis_at(&a, 1), 0);
}

static size_t count(const char *text, const char *words) {
    size_t n = 0;
    for (; (text = strstr(text, words)); text++)
        n++;
    return n;
}

static void the_picture(void **state) {
    (void)state;
    tsl_sampled_programs programs = {0};
    tsl_buf out = {0};
    tsl_vec_push(&programs, one_of((uint32_t[]){5, 3, 1}, 3));
    tsl_chart_format(&programs, &out);
    assert_int_equal(count(out.data, "<rect class=\"bar\""), 6); // in the strip and below
    assert_int_equal(count(out.data, "<polyline"), 3);
    assert_non_null(strstr(out.data, "a&#60;b&#62;&#38;&#34;c&#34;"));
    assert_null(strstr(out.data, "nan"));
    tsl_buf_drop(&out);
    tsl_sampled_programs_drop(&programs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sampler_is_counted_by_itself),
        cmocka_unit_test(the_curve_is_dense_in_the_beginning_and_short),
        cmocka_unit_test(too_many_orders_end_the_count),
        cmocka_unit_test(figures),
        cmocka_unit_test(many_frequencies_are_rounded),
        cmocka_unit_test(marks_are_round),
        cmocka_unit_test(the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
