// Fuzz target for coverage: the file that teasel test keeps, and the tables of the program.
//
// A file that is accepted must be written as a text that is read and written as the same text
// again.  A file that is refused must leave nothing but a message of one line.  The same bytes are
// also laid over the tables, which must give consistent counts and a file that can be read.
//
//     clang-19 -fsanitize=fuzzer,address ...      under libFuzzer
//     cc -DTSL_FUZZ_MAIN ... && ./fuzz DIR|FILE   every file once, no fuzzer needed
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "report/lcov.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(tsl_lcov *lcov) {
    tsl_buf first = {0}, second = {0};
    tsl_lcov again = {0};
    tsl_err err = {0};
    tsl_lcov_keep(lcov, &first);
    bool ok = tsl_lcov_parse("again", first.data, first.len, &again, &err);
    TSL_BUG_ON(!ok, "own text refused: %s\n%s", err.text, first.data);
    tsl_lcov_keep(&again, &second);
    TSL_BUG_ON(strcmp(first.data, second.data) != 0, "%s---\n%s", first.data, second.data);
    tsl_lcov_drop(&again);
    tsl_buf_drop(&first);
    tsl_buf_drop(&second);
}

static void as_file(const uint8_t *data, size_t size) {
    tsl_lcov lcov = {0};
    tsl_err err = {0};
    if (tsl_lcov_parse("fuzz", (const char *)data, size, &lcov, &err)) {
        check_again(&lcov);
    } else {
        TSL_BUG_ON(err.code == TSL_EOK || strchr(err.text, '\n'), "message: %s", err.text);
        TSL_BUG_ON(lcov.files.len, "left over: %zu files", lcov.files.len);
    }
    tsl_lcov_drop(&lcov);
}

typedef struct inputs {
    tsl_cover_func funcs[8];
    tsl_cover_place places[64];
    uint32_t reached[256];
    char strings[64];
} inputs;

static void lay_over(void *to, size_t len, const uint8_t *data, size_t size, size_t from) {
    uint8_t *bytes = to;
    for (size_t i = 0; i < len && size; i++)
        bytes[i] = data[(from + i) % size];
}

static void as_tables(const uint8_t *data, size_t size) {
    inputs *in = tsl_alloc(sizeof *in);
    lay_over(in, sizeof *in, data, size, 0);
    for (size_t i = 0; i < 8; i++)
        in->funcs[i].nplaces %= 16; // or nearly all would be refused at once
    for (size_t i = 0; i < 64; i++) {
        in->places[i].point %= 300;
        in->places[i].outcomes %= 4;
    }
    tsl_sites sites = {NULL, 0, in->strings, sizeof in->strings};
    tsl_cover_tables tables = {in->funcs, in->places, in->reached, 8, 64, 256};
    tsl_coverage *c = tsl_coverage_new(&tables, &sites);
    tsl_coverage_update(c, &tables, 0, size);
    tsl_cover_count n = tsl_coverage_count(c);
    TSL_BUG_ON(
        n.lines > n.total_lines || n.branches > n.total_branches || n.functions > n.total_functions,
        "%zu/%zu lines, %zu/%zu branches", n.lines, n.total_lines, n.branches, n.total_branches);
    tsl_lcov lcov = {0};
    tsl_lcov_add(&lcov, c);
    check_again(&lcov);
    tsl_lcov_drop(&lcov);
    tsl_coverage_free(c);
    tsl_free(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    as_file(data, size);
    as_tables(data, size);
    return 0;
}

#ifdef TSL_FUZZ_MAIN
#include "fuzz_main.h"
#endif
