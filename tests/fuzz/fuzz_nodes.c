// Fuzz target for the expressions that a run recorded.
//
// The input is an array of expression nodes.  It is read as one run and then, with its second half
// changed, as the next.  What is accepted is printed and evaluated; a fresh reader must read the
// same.
//
//     clang-19 -fsanitize=fuzzer,address ...      under libFuzzer
//     cc -DTSL_FUZZ_MAIN ... && ./fuzz DIR|FILE   every file once, no fuzzer needed
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "expr/import.h"
#include "expr/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const tsl_import *im, const tsl_terms *terms, const tsl_vars *vars) {
    tsl_buf out = {0};
    for (uint32_t i = 0; i < im->terms.len; i++)
        if (im->terms.data[i].i)
            tsl_print_term(terms, im->terms.data[i], vars, &out);
    for (size_t i = 0; i < out.len; i++)
        TSL_BUG_ON((unsigned char)out.data[i] < 0x20, "control character 0x%02x", out.data[i]);
    tsl_buf_drop(&out);
}

static void read_both(tsl_import *im, tsl_terms *terms, tsl_vars *vars, const tsl_expr *nodes,
                      uint32_t n) {
    tsl_import fresh;
    tsl_evaluator ev;
    uint32_t label;
    tsl_import_init(&fresh);
    tsl_evaluator_init(&ev, terms);
    bool ok = tsl_import_read(im, terms, vars, nodes, n, NULL);
    bool same = tsl_import_read(&fresh, terms, vars, nodes, n, NULL);
    TSL_BUG_ON(ok != same, "one reader says %d, a fresh one %d", ok, same);
    for (uint32_t i = 0; i < n; i++)
        TSL_BUG_ON(tsl_import_term(im, i).i != tsl_import_term(&fresh, i).i, "label %u", i);
    look_at(im, terms, vars);
    tsl_import_check(im, vars, &ev, &label);
    tsl_evaluator_drop(&ev);
    tsl_import_drop(&fresh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint32_t n = (uint32_t)(size / sizeof(tsl_expr));
    tsl_expr *nodes = tsl_alloc(size + 1);
    if (size)
        memcpy(nodes, data, size);
    tsl_terms *terms = tsl_terms_new();
    tsl_vars vars = {0};
    tsl_import im;
    tsl_import_init(&im);
    read_both(&im, terms, &vars, nodes, n);
    for (uint32_t i = n / 2; i < n; i++)
        nodes[i].lo ^= data[i];
    read_both(&im, terms, &vars, nodes, n);
    if (n > 2)
        nodes[n / 2].op ^= data[1];
    read_both(&im, terms, &vars, nodes, n);
    tsl_import_drop(&im);
    tsl_vars_drop(&vars);
    tsl_terms_free(terms);
    tsl_free(nodes);
    return 0;
}

#ifdef TSL_FUZZ_MAIN
#include "fuzz_main.h"
#endif
