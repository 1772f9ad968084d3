// src/report: coverage computed from the program's tables, and tracefiles of lcov.
#include "unit.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "report/json.h"
#include "report/lcov.h"

static const char strings[] = "\0a.c\0/no/such/dir\0f\0g\0/no/such/b.h\0h";
enum { A = 1, DIR = 5, F = 18, G = 20, B = 22, H = 35 };
static const tsl_sites sites = {NULL, 0, strings, sizeof strings};

// f has an if on line 3; g is never entered; h is in a header, and in two objects.
static const tsl_cover_func funcs[] = {
    {A, DIR, F, 2, 0, 6}, {B, DIR, H, 7, 4, 1}, {A, DIR, G, 9, 5, 4}, {B, DIR, H, 7, 10, 1}};
static const tsl_cover_place places[] = {
    {.point = 0, .line = 2},
    {.point = 0, .line = 3},
    {.point = 1, .line = 4},
    {.point = 2, .line = 4}, // the same line, in another block
    {.point = 1, .line = 3, .column = 9, .outcome = 0, .outcomes = 2},
    {.point = 2, .line = 3, .column = 9, .outcome = 1, .outcomes = 2},
    {.point = 4, .line = 7},
    {.point = 5, .line = 9},
    {.point = 6, .line = 9, .column = 5, .outcome = 0, .outcomes = 3},
    {.point = 7, .line = 9, .column = 5, .outcome = 1, .outcomes = 3},
    {.point = 8, .line = 9, .column = 5, .outcome = 2, .outcomes = 3},
    {.point = 10, .line = 7},
};
static const uint32_t reached[11] = {0, 2, 10, 99, UINT32_MAX, 5, 7};

static const tsl_cover_tables tables = {.funcs = funcs,
                                        .nfuncs = 4,
                                        .places = places,
                                        .nplaces = 12,
                                        .reached = reached,
                                        .npoints = 11};

static const tsl_cover_function *find(const tsl_coverage *c, const char *name) {
    for (size_t i = 0; i < c->functions.len; i++)
        if (strcmp(c->functions.data[i].name, name) == 0)
            return &c->functions.data[i];
    fail_msg("no function %s", name);
    return NULL;
}

static void assert_counts(tsl_cover_count n, size_t functions, size_t lines, size_t branches) {
    assert_int_equal(n.functions, functions);
    assert_int_equal(n.lines, lines);
    assert_int_equal(n.branches, branches);
}

// ---------------------------------------------------------------- tables

static void counts(void **state) {
    (void)state;
    tsl_coverage *c = tsl_coverage_new(&tables, &sites);
    tsl_cover_count n = tsl_coverage_count(c);
    assert_counts(n, 0, 0, 0);
    assert_int_equal(n.total_functions, 3); // h once
    assert_int_equal(n.total_lines, 5);
    assert_int_equal(n.total_branches, 5);
    tsl_coverage_update(c, &tables, 0, 1);
    assert_counts(tsl_coverage_count(c), 1, 2, 0);
    tsl_coverage_update(c, &tables, 0, 0);
    assert_counts(tsl_coverage_count(c), 1, 2, 0);
    tsl_coverage_update(c, &tables, 1, 5); // numbers without a meaning are ignored
    assert_counts(tsl_coverage_count(c), 2, 4, 1);
    assert_counts(tsl_coverage_of(c, find(c, "f")), 1, 3, 1);
    assert_counts(tsl_coverage_of(c, find(c, "g")), 0, 0, 0);
    assert_counts(tsl_coverage_of(c, find(c, "h")), 1, 1, 0);
    assert_string_equal(find(c, "f")->file, "a.c");
    assert_string_equal(find(c, "f")->path, "/no/such/dir/a.c");
    assert_string_equal(find(c, "h")->path, "/no/such/b.h");
    tsl_coverage_update(c, &tables, 1, SIZE_MAX);
    size_t some, all;
    tsl_coverage_branches(c, &some, &all);
    assert_true(some == 2 && all == 5);
    tsl_coverage_clear(c);
    assert_counts(tsl_coverage_count(c), 0, 0, 0);
    tsl_coverage_update(c, &tables, 0, 1);
    assert_counts(tsl_coverage_count(c), 1, 2, 0);
    tsl_coverage_free(c);
    tsl_coverage_free(NULL);
}

// A table is read up to the first entry that makes no sense.
static void damaged_tables(void **state) {
    (void)state;
    tsl_cover_func two[] = {{A, DIR, F, 2, UINT32_MAX, 3}, {A, DIR, G, 9, 0, UINT32_MAX}};
    tsl_cover_place bad[][3] = {
        {{.point = 77, .line = 5}, {.point = 0, .line = 4}, {.point = 0, .line = 6}},
        {{.line = 5}, {.line = 5, .outcome = 1, .outcomes = 2}, {.line = 6}},
        {{.line = 5}, {.line = 5, .outcome = 0, .outcomes = 1}, {.line = 6}},
        {{.line = 5}, {.line = 5, .outcome = 0, .outcomes = 2}, {.line = 6}},
    };
    for (size_t i = 0; i < 4; i++) {
        tsl_cover_tables t = {two, bad[i], reached, 2, 3, 11};
        tsl_coverage *c = tsl_coverage_new(&t, &sites);
        tsl_coverage_update(c, &t, 0, 11);
        assert_int_equal(c->functions.len, 1);
        assert_int_equal(tsl_coverage_count(c).total_lines, 1);
        tsl_lcov lcov = {0}; // a branch without all its fields is left out
        tsl_buf text = {0};
        tsl_lcov_add(&lcov, c);
        tsl_lcov_format(&lcov, &text);
        assert_null(strstr(tsl_buf_text(&text), "BRDA"));
        tsl_buf_drop(&text);
        tsl_lcov_drop(&lcov);
        tsl_coverage_free(c);
    }
    tsl_cover_func nameless[] = {{A, DIR, 0, 2, 0, 0}, {9999, DIR, F, 2, 0, 0}};
    tsl_cover_tables t = {nameless, places, reached, 2, 0, 11};
    tsl_coverage *c = tsl_coverage_new(&t, &sites);
    assert_int_equal(c->functions.len, 0);
    tsl_coverage_free(c);
}

static void json(void **state) {
    (void)state;
    tsl_coverage *c = tsl_coverage_new(&tables, &sites);
    tsl_counts counts = {0};
    tsl_summary summary = {
        .verdict = "sampled", .counts = &counts, .strategy = "random", .coverage = c};
    tsl_buf out = {0};
    tsl_coverage_update(c, &tables, 0, 3);
    tsl_json_summary(&summary, &out);
    json_t *o = json_loads(out.data, 0, NULL), *cover = json_object_get(o, "coverage");
    static const char *const names[] = {"branches",    "total_branches",    "lines",
                                        "total_lines", "entered_functions", "total_functions"};
    static const int want[] = {1, 5, 4, 5, 2, 3};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(json_integer_value(json_object_get(cover, names[i])), want[i]);
    json_t *f = json_array_get(json_object_get(cover, "functions"), 1);
    assert_string_equal(json_string_value(json_object_get(f, "name")), "f");
    assert_string_equal(json_string_value(json_object_get(f, "file")), "a.c");
    assert_int_equal(json_integer_value(json_object_get(f, "total_branches")), 2);
    json_decref(o);
    tsl_buf_clear(&out);
    tsl_summary_text(&summary, &out);
    assert_non_null(strstr(out.data, "covered: 1 of 5 branches, 4 of 5 lines, 2 of 3 functions\n"));
    tsl_buf_drop(&out);
    tsl_coverage_free(c);
}

// ---------------------------------------------------------------- tracefiles

#define TRACEFILE                                                                                  \
    "TN:\nSF:/no/such/b.h\nFN:7,h\nFNDA:1,h\nFNF:1\nFNH:1\nDA:7,1\nLF:1\nLH:1\nend_of_record\n"    \
    "TN:\nSF:/no/such/dir/a.c\nFN:2,f\nFN:9,g\nFNDA:1,f\nFNDA:0,g\nFNF:2\nFNH:1\n"                 \
    "BRDA:3,0,0,0\nBRDA:3,0,1,1\nBRDA:9,0,0,-\nBRDA:9,0,1,-\nBRDA:9,0,2,-\nBRF:5\nBRH:1\n"         \
    "DA:2,1\nDA:3,1\nDA:4,1\nDA:9,0\nLF:4\nLH:3\nend_of_record\n"
#define KEPT "# teasel coverage 1, files: 2\n" TRACEFILE

static void writes(void **state) {
    (void)state;
    tsl_coverage *c = tsl_coverage_new(&tables, &sites);
    tsl_lcov lcov = {0};
    tsl_buf out = {0};
    tsl_coverage_update(c, &tables, 0, 3);
    tsl_lcov_add(&lcov, c);
    tsl_lcov_format(&lcov, &out);
    assert_string_equal(out.data, TRACEFILE);
    tsl_buf_clear(&out);
    tsl_lcov_keep(&lcov, &out);
    assert_string_equal(out.data, KEPT);
    tsl_buf_drop(&out);
    tsl_lcov_drop(&lcov);
    tsl_coverage_free(c);
}

static void reads(void **state) {
    (void)state;
    tsl_lcov lcov = {0};
    tsl_err err = {0};
    tsl_buf out = {0};
    assert_true(tsl_lcov_parse("x", KEPT, strlen(KEPT), &lcov, &err));
    tsl_lcov_keep(&lcov, &out);
    assert_string_equal(out.data, KEPT);
    tsl_buf_drop(&out);
    tsl_lcov_drop(&lcov);
    static const char nothing[] = "# teasel coverage 1, files: 0\n";
    assert_true(tsl_lcov_parse("x", nothing, strlen(nothing), &lcov, &err));
    assert_int_equal(lcov.files.len, 0);
}

// What was reached in one of two files is reached in the merged one.
static void puts_together(void **state) {
    (void)state;
    static const char other[] =
        "# teasel coverage 1, files: 2\n"
        "TN:\nSF:/z.c\nFN:1,z\nFNDA:0,z\nFNF:1\nFNH:0\nDA:1,0\nLF:1\nLH:0\nend_of_record\n"
        "TN:\nSF:/no/such/dir/a.c\nFN:9,g\nFNDA:1,g\nFNF:1\nFNH:1\n"
        "BRDA:9,0,1,1\nBRDA:3,0,0,1\nBRF:2\nBRH:2\nDA:9,1\nDA:8,0\nLF:2\nLH:1\nend_of_record\n";
    static const char want[] =
        "TN:\nSF:/no/such/dir/a.c\nFN:2,f\nFN:9,g\nFNDA:1,f\nFNDA:1,g\nFNF:2\nFNH:2\n"
        "BRDA:3,0,0,1\nBRDA:3,0,1,1\nBRDA:9,0,0,0\nBRDA:9,0,1,1\nBRDA:9,0,2,0\nBRF:5\nBRH:3\n"
        "DA:2,1\nDA:3,1\nDA:4,1\nDA:8,0\nDA:9,1\nLF:5\nLH:4\nend_of_record\n";
    tsl_lcov lcov = {0};
    tsl_err err = {0};
    tsl_buf out = {0};
    assert_true(tsl_lcov_parse("one", KEPT, strlen(KEPT), &lcov, &err));
    assert_true(tsl_lcov_parse("other", other, strlen(other), &lcov, &err));
    tsl_lcov_format(&lcov, &out);
    assert_int_equal(lcov.files.len, 3);
    assert_non_null(strstr(out.data, want));
    tsl_buf_drop(&out);
    tsl_lcov_drop(&lcov);
}

// A file with a byte missing, changed or added is either read or refused, and what was read before
// stays in either case.
static void refuses(void **state) {
    (void)state;
    size_t len = strlen(KEPT);
    tsl_lcov lcov = {0};
    tsl_err err = {0};
    assert_true(tsl_lcov_parse("x", KEPT, len, &lcov, &err));
    for (size_t cut = 0; cut < len - 1; cut++) {
        tsl_err_clear(&err);
        assert_false(tsl_lcov_parse("x", KEPT, cut, &lcov, &err));
        assert_int_equal(lcov.files.len, 2);
        assert_null(strchr(err.text, '\n'));
    }
    char *text = tsl_strdup(KEPT);
    for (size_t i = 0; i < len; i++)
        for (unsigned to = 0; to < 256; to += 37) {
            char was = text[i];
            text[i] = (char)to;
            tsl_err_clear(&err);
            tsl_lcov again = {0};
            if (tsl_lcov_parse("x", text, len, &again, &err))
                assert_int_equal(again.files.len, 2);
            else
                assert_int_equal(again.files.len, 0);
            tsl_lcov_drop(&again);
            text[i] = was;
        }
    tsl_free(text);
    static const char later[] = "# teasel coverage 2, files: 0\n";
    tsl_err_clear(&err);
    assert_false(tsl_lcov_parse("x", later, strlen(later), &lcov, &err));
    assert_int_equal(err.code, TSL_EVERSION);
    tsl_lcov_drop(&lcov);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),  cmocka_unit_test(damaged_tables),
        cmocka_unit_test(json),    cmocka_unit_test(writes),
        cmocka_unit_test(reads),   cmocka_unit_test(puts_together),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests_name("cover", tests, NULL, NULL);
}
