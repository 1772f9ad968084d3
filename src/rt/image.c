// What is known of the code and data of the program?
// ---------------------------------------------------------------- functions that are instrumented
#include "image.h"

#include <link.h>
#include <string.h>

#include "state.h"

#define FUNCTIONS ((const void **)TSLRT_FUNCTIONS_AT)
#define NFUNCTIONS (TSLRT_FUNCTIONS_SIZE / sizeof(void *))

static const void **function_place(const void *function) {
    size_t at = (size_t)((uintptr_t)function * 0x9e3779b97f4a7c15ull >> 32) % NFUNCTIONS;
    while (FUNCTIONS[at] && FUNCTIONS[at] != function)
        at = (at + 1) % NFUNCTIONS;
    return &FUNCTIONS[at];
}

// The table is never full: functions that do not fit count as not instrumented, which is safe.
void tslrt_functions_add(const tsl_module *module) {
    for (uint32_t i = 0; i < module->nfunctions && tslrt->image.nfunctions < NFUNCTIONS / 2; i++) {
        const void **place = function_place((const void *)module->functions[i]);
        tslrt->image.nfunctions += *place == NULL;
        *place = (const void *)module->functions[i];
    }
    memset(TSL_HOT->inside, 0, sizeof TSL_HOT->inside);
}

bool tslrt_is_instrumented(const void *function) {
    return function && *function_place(function) == function;
}

// ---------------------------------------------------------------- memory that can't be written

static int add_constants(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        bool constant = ph->p_type == PT_LOAD && !(ph->p_flags & PF_W);
        if (!constant || tslrt->image.nconstants == TSLRT_MAX_CONSTANTS)
            continue;
        tslrt->image.constants[tslrt->image.nconstants].low = info->dlpi_addr + ph->p_vaddr;
        tslrt->image.constants[tslrt->image.nconstants++].high =
            info->dlpi_addr + ph->p_vaddr + ph->p_memsz;
    }
    return 0;
}

void tslrt_constants_find(void) {
    tslrt->image.nconstants = 0;
    dl_iterate_phdr(add_constants, NULL);
}

static int tell_loaded(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    *(uint64_t *)data = info->dlpi_adds;
    return 1;
}

// If a run has loaded a library, restarting in place would load it again, at another address.
uint64_t tslrt_libraries_loaded(void) {
    uint64_t n = 0;
    dl_iterate_phdr(tell_loaded, &n);
    return n;
}

bool tslrt_is_constant(const void *p) {
    for (unsigned i = 0; i < tslrt->image.nconstants; i++)
        if ((uintptr_t)p >= tslrt->image.constants[i].low &&
            (uintptr_t)p < tslrt->image.constants[i].high)
            return true;
    return false;
}
