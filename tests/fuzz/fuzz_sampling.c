// Fuzz target for the file in which teasel test keeps what samplers found.
//
// A file that is accepted must be written as a text that is read and written as the same text
// again.  Its statistics must be in their ranges, and all numbers in its chart must be finite.  A
// file that is refused must leave nothing but a message of one line.  The same bytes are also used
// as frequencies.
//
//     clang-19 -fsanitize=fuzzer,address ...      under libFuzzer
//     cc -DTSL_FUZZ_MAIN ... && ./fuzz DIR|FILE   every file once, no fuzzer needed
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "report/chart.h"
#include "report/evenness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const tsl_samplers *samplers) {
    tsl_buf first = {0}, second = {0};
    tsl_samplers again = {0};
    tsl_err err = {0};
    tsl_samplers_keep(samplers, &first);
    bool ok = tsl_samplers_parse("again", first.data, first.len, &again, &err);
    TSL_BUG_ON(!ok, "own text refused: %s\n%s", err.text, first.data);
    tsl_samplers_keep(&again, &second);
    TSL_BUG_ON(strcmp(first.data, second.data) != 0, "%s---\n%s", first.data, second.data);
    tsl_samplers_drop(&again);
    tsl_buf_drop(&first);
    tsl_buf_drop(&second);
}

static void check_figures(const tsl_sampled *s) {
    tsl_evenness e = tsl_evenness_of(s);
    TSL_BUG_ON(!(e.most > 0 && e.most <= 1) || !(e.evenness >= -1e-9 && e.evenness <= 1 + 1e-9) ||
                   !(e.next >= 0 && e.next <= 1) || !(e.unseen >= 0) || e.half < 1 ||
                   e.half > s->orders || e.once > s->orders,
               "most %g, evenness %g, next %g, unseen %g, half %lu of %lu", e.most, e.evenness,
               e.next, e.unseen, (unsigned long)e.half, (unsigned long)s->orders);
}

static void check_reports(tsl_samplers samplers) {
    tsl_sampled_programs programs = {0};
    tsl_buf out = {0};
    samplers.program = "a<&\"\x01\xff\xc3\xa9";
    tsl_vec_push(&programs, samplers);
    tsl_evenness_text(&samplers, &out);
    TSL_BUG_ON(strstr(out.data, "nan") || strstr(out.data, "inf"), "%s", out.data);
    tsl_buf_clear(&out);
    tsl_chart_format(&programs, &out);
    TSL_BUG_ON(strstr(out.data, "nan") || strstr(out.data, "inf") || strstr(out.data, "a<"), "%s",
               out.data);
    tsl_buf_drop(&out);
    tsl_vec_drop(&programs);
}

static void as_file(const uint8_t *data, size_t size) {
    tsl_samplers samplers = {0};
    tsl_err err = {0};
    if (tsl_samplers_parse("fuzz", (const char *)data, size, &samplers, &err)) {
        check_again(&samplers);
        for (size_t i = 0; i < samplers.list.len; i++)
            check_figures(&samplers.list.data[i]);
        check_reports(samplers);
    } else {
        TSL_BUG_ON(err.code == TSL_EOK || strchr(err.text, '\n'), "message: %s", err.text);
        TSL_BUG_ON(samplers.list.len, "left over: %zu samplers", samplers.list.len);
    }
    tsl_samplers_drop(&samplers);
}

static void as_times(const uint8_t *data, size_t size) {
    size_t n = size / sizeof(uint32_t);
    uint32_t *times = tsl_alloc_array(n + 1, sizeof *times);
    memcpy(times, data, n * sizeof *times);
    times[n] = 1; // so that there is one
    tsl_sampled one = {.sampler = tsl_strdup("random")};
    tsl_sampled_count(&one, times, n + 1);
    tsl_vec_push(&one.curve, (tsl_sampled_point){one.runs, one.orders, 0, 0});
    tsl_samplers samplers = {0};
    tsl_vec_push(&samplers.list, one);
    check_figures(&one);
    check_again(&samplers);
    check_reports(samplers);
    tsl_samplers_drop(&samplers);
    tsl_free(times);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    as_file(data, size);
    as_times(data, size);
    return 0;
}

#ifdef TSL_FUZZ_MAIN
#include "fuzz_main.h"
#endif
