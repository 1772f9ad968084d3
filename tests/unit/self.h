// The test program itself plays the program under test: its own code and variables are symbolised.
#ifndef TSL_TEST_SELF_H
#define TSL_TEST_SELF_H

#include <link.h>
#include <unistd.h>

#include "report/symbol.h"
#include "unit.h"

static int main_module(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    tsl_mapped *mapped = data;
    if (info->dlpi_name[0]) // the program itself has no name
        return 0;
    mapped->load = info->dlpi_addr;
    ssize_t n = readlink("/proc/self/exe", mapped->path, sizeof mapped->path - 1);
    assert_true(n > 0);
    mapped->path[n] = 0;
    return 1;
}

static tsl_mapped tsl_self(void) {
    tsl_mapped mapped = {0};
    dl_iterate_phdr(main_module, &mapped);
    return mapped;
}

static __attribute__((always_inline)) inline uint64_t inlined_leaf(void) {
    uint64_t pc;
#if defined(__x86_64__)
    __asm__ volatile("lea 1f(%%rip), %0\n1:" : "=r"(pc));
#else
    __asm__ volatile("adr %0, 1f\n1:" : "=r"(pc));
#endif
    return pc;
}
static const int leaf_line __attribute__((unused)) = __LINE__ - 8; // of the asm

static __attribute__((noinline)) uint64_t outer_function(int *line) {
    *line = __LINE__ + 1;
    uint64_t pc = inlined_leaf();
    __asm__ volatile("" : "+r"(pc));
    return pc;
}

// Names need debug information, so a build without it is not tested.
static bool tsl_self_has_debug_information(void) {
    tsl_mapped mapped = tsl_self();
    tsl_symbols *symbols = tsl_symbols_new(&mapped, 1);
    tsl_frame frame;
    int line;
    tsl_symbols_pc(symbols, outer_function(&line), &frame, 1);
    bool known = frame.file != NULL;
    tsl_symbols_free(symbols);
    return known;
}

#endif
