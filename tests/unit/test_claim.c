// Does every verdict follow from how far the search got and from the reasons?
#include "model/claim.h"

#include "unit.h"

static const char *words(const tsl_claim *claim) {
    static tsl_buf out;
    tsl_buf_clear(&out);
    tsl_claim_words(claim, &out);
    return tsl_buf_text(&out);
}

// The verdict for one reason of each effect, and for each reach.
static void verdicts(void **state) {
    static const struct {
        enum tsl_reason reason;
        const char *part, *samples, *bounded, *all;
    } rows[] = {
        {TSL_REASON_NONE, "stopped at a limit", "sampled", "complete up to 2 preemptions",
         "complete"},
        {TSL_REASON_SC_ONLY, "stopped at a limit", "sampled", "complete up to 2 preemptions",
         "complete"},
        {TSL_REASON_UNCONTROLLED, "stopped at a limit", "sampled",
         "complete up to 2 preemptions, but for what is not controlled",
         "complete, but for what is not controlled"},
        {TSL_REASON_CONCRETISED, "stopped at a limit", "sampled", "incomplete", "incomplete"},
        {TSL_REASON_RUN_STEPS, "stopped at a limit", "sampled", "stopped at a limit",
         "stopped at a limit"},
        {TSL_REASON_INTERRUPTED, "stopped", "stopped", "stopped", "stopped"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tsl_claim claim = {.bound = 2, .ended = 10};
        if (rows[i].reason != TSL_REASON_NONE)
            tsl_claim_weaken(&claim, rows[i].reason, 3);
        claim.reach = TSL_REACH_PART;
        assert_string_equal(words(&claim), rows[i].part);
        claim.reach = TSL_REACH_SAMPLES;
        assert_string_equal(words(&claim), rows[i].samples);
        claim.reach = TSL_REACH_BOUNDED;
        assert_string_equal(words(&claim), rows[i].bounded);
        claim.reach = TSL_REACH_ALL;
        assert_string_equal(words(&claim), rows[i].all);
    }
}

// A search that went through everything is never called "stopped at a limit" without a reason of
// that effect, and a search that any reason weakens is never called "complete".
static void every_reason(void **state) {
    (void)state;
    for (unsigned r = TSL_REASON_NONE + 1; r < TSL_REASON_COUNT; r++) {
        tsl_claim claim = {.reach = TSL_REACH_ALL, .ended = 1};
        tsl_claim_weaken(&claim, (enum tsl_reason)r, 1);
        bool limit = tsl_claim_has_effect(&claim, TSL_EFFECT_LIMIT);
        bool said = tsl_claim_has_effect(&claim, TSL_EFFECT_SAID);
        assert_int_equal(strcmp(words(&claim), "stopped at a limit") == 0, limit);
        assert_int_equal(strcmp(words(&claim), "complete") == 0, said);
        assert_int_equal(tsl_claim_is_weakened(&claim), !said);
        assert_true(strlen(tsl_reason_name(r)) > 1);
        tsl_claim from_bits = {.reach = TSL_REACH_ALL, .ended = 1};
        tsl_claim_weaken_bits(&from_bits, 1ull << r | 1ull << 63);
        assert_memory_equal(&claim, &from_bits, sizeof claim);
    }
}

static void nothing_tested(void **state) {
    (void)state;
    tsl_claim claim = {.reach = TSL_REACH_SAMPLES};
    assert_true(tsl_claim_is_empty(&claim));
    tsl_claim_weaken(&claim, TSL_REASON_RUN_STEPS, 5);
    assert_string_equal(words(&claim), "stopped at a limit");
    claim.ended = 1;
    assert_false(tsl_claim_is_empty(&claim));
    assert_string_equal(words(&claim), "sampled");
}

static void requirements(void **state) {
    tsl_requirement r;
    (void)state;
    assert_true(tsl_requirement_parse("complete", &r) && r.complete);
    assert_true(tsl_requirement_parse("sampled:100", &r) && r.sampled == 100 && !r.complete);
    static const char *const wrong[] = {
        "",          "Complete",   "sampled",   "sampled:",    "sampled:0", "sampled:-1",
        "sampled:x", "sampled:1x", "complete ", "sampled: 10", "exhaustive"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(tsl_requirement_parse(wrong[i], &r));
    tsl_claim all = {.reach = TSL_REACH_ALL, .ended = 3};
    tsl_claim bounded = {.reach = TSL_REACH_BOUNDED, .ended = 300};
    tsl_claim some = {.reach = TSL_REACH_SAMPLES, .ended = 99};
    tsl_requirement complete = {.complete = true}, sampled = {.sampled = 100};
    assert_true(tsl_claim_meets(&all, &complete));
    assert_true(tsl_claim_meets(&all, &sampled)); // "complete" meets any number of samples
    assert_false(tsl_claim_meets(&bounded, &complete));
    assert_true(tsl_claim_meets(&bounded, &sampled));
    assert_false(tsl_claim_meets(&some, &sampled));
    tsl_claim_weaken(&all, TSL_REASON_UNCONTROLLED, 1);
    assert_false(tsl_claim_meets(&all, &complete));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(every_reason),
        cmocka_unit_test(nothing_tested),
        cmocka_unit_test(requirements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
