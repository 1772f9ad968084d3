// Fuzz target for everything that reads what the program under test wrote.
//
// The input is laid over the head of a Trace, the site table, the census and the events; then every
// report is made from them.  The executor checks the number of events before it hands out a Trace,
// so this number alone is true here.
//
//     clang-19 -fsanitize=fuzzer,address ...      under libFuzzer
//     cc -DTSL_FUZZ_MAIN ... && ./fuzz DIR|FILE   every file once, no fuzzer needed
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "report/census.h"
#include "report/json.h"
#include "report/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Changes an event into one that a run may have.
static void make_sense(tsl_event *e) {
    e->kind = 1 + e->kind % (TSL_EV_COUNT - 1);
    e->thread %= TSL_MAX_THREADS;
    e->res %= TSL_MAX_THREADS;
    if (e->kind == TSL_EV_ALSO)
        e->res = (uint16_t)(e->res << 8 | (TSL_EV_READ + e->res % (TSL_EV_COUNT - TSL_EV_READ)));
    if (e->kind == TSL_EV_PENDING)
        e->arg = (uint8_t)(TSL_EV_READ + e->arg % (TSL_EV_COUNT - TSL_EV_READ));
}

// Repeats the input bytes, so that short inputs reach everywhere.
static void lay_over(void *to, size_t len, const uint8_t *data, size_t size, size_t from) {
    uint8_t *bytes = to;
    for (size_t i = 0; i < len && size; i++)
        bytes[i] = data[(from + i) % size];
}

typedef struct inputs {
    tsl_trace_head head;
    tsl_census census;
    tsl_site sites[16];
    char strings[64];
    tsl_event events[128];
} inputs;

static void report_on(const tsl_bug *bug, const inputs *in, const tsl_sites *sites) {
    tsl_buf out = {0};
    tsl_bugs bugs = {0};
    tsl_vec_push(&bugs, (tsl_bug *)(uintptr_t)bug);
    tsl_text_bug(bug, sites, NULL, (tsl_text_style){0}, &out);
    for (size_t i = 0; i < out.len; i++)
        TSL_BUG_ON((unsigned char)out.data[i] < 0x20 && out.data[i] != '\n',
                   "control character 0x%02x in a report", out.data[i]);
    tsl_buf_clear(&out);
    tsl_census_text(&in->census, sites, &out);
    tsl_buf_clear(&out);
    tsl_counts counts = {0};
    tsl_summary summary = {.verdict = "sampled",
                           .counts = &counts,
                           .strategy = "random",
                           .bugs = &bugs,
                           .census = &in->census,
                           .sites = sites};
    tsl_json_summary(&summary, &out);
    tsl_buf_drop(&out);
    tsl_vec_drop(&bugs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    inputs *in = tsl_alloc(sizeof *in);
    lay_over(&in->head, sizeof in->head, data, size, 0);
    lay_over(&in->census, sizeof in->census, data, size, 3);
    lay_over(in->sites, sizeof in->sites, data, size, 7);
    lay_over(in->strings, sizeof in->strings, data, size, 11);
    lay_over(in->events, sizeof in->events, data, size, 13);
    if (size) {
        in->head.outcome = data[0] % TSL_OUT_COUNT;
        in->head.nthreads %= 20; // time, not truth
    }
    for (size_t i = 0; i < 128 && size && data[0] & 64; i++) // else most are refused as a whole
        make_sense(&in->events[i]);
    tsl_sites sites = {in->sites, 16, in->strings, sizeof in->strings};
    tsl_trace trace = {&in->head, in->events, size % 129, NULL, 0};
    tsl_run run = {0};
    tsl_plan ran;
    tsl_plan_init(&ran);
    tsl_run_take(&run, &trace, NULL);
    tsl_bug *bug = tsl_bug_new(&run, &ran, &sites, NULL);
    report_on(bug, in, &sites);
    tsl_bug_free(bug);
    size_t first = tsl_run_behind_notes(&run, 0), last;
    if (tsl_run_last_step(&run, &last) && first < last) {
        bug = tsl_bug_new_race(&run, &ran, &sites, NULL, first, last, NULL, NULL);
        report_on(bug, in, &sites);
        tsl_bug_free(bug);
    }
    tsl_run_drop(&run);
    tsl_plan_drop(&ran);
    tsl_free(in);
    return 0;
}

#ifdef TSL_FUZZ_MAIN
#include "fuzz_main.h"
#endif
