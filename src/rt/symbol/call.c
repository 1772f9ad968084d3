// Labels of arguments and results; see cc/symcall.h.
#include <string.h>

#include "../state.h"
#include "symbol.h"

// The labels of arguments were passed to a function that does not take them, as it is not
// instrumented.
void tslrt_symbols_untaken(void) {
    const void *function = TSL_HOT->args_for;
    TSL_HOT->args_for = NULL;
    if (!function || !SYM->nodes)
        return;
    const tsl_extern *e = tslrt_extern_at(function);
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    if (e)
        tslrt_say("%s takes arguments that depend on inputs as they come",
                  strncmp(e->name, "__teasel_", 9) == 0 ? e->name + 9 : e->name);
    else
        tslrt_say("a function that is not instrumented takes arguments that depend on inputs "
                  "as they come");
}

void tslrt_symbols_copy(void *to, const void *from, uint64_t size) {
    if (__builtin_expect(TSL_HOT->labelled, 0))
        __teasel_sym_copy_slow(to, from, size);
}

void tslrt_symbols_fill(void *to, uint32_t label, uint64_t size) {
    __teasel_sym_fill_slow(to, label, size);
}

TSL_SLOW void __teasel_sym_args_slow(const void *callee, uint32_t n) {
    tslrt_symbols_untaken();
    TSL_HOT->args_for = callee;
    TSL_HOT->nargs = n;
}

TSL_SLOW uint32_t __teasel_sym_byval_slow(uint32_t place, const void *p, uint64_t size) {
    SYM->byval[place] = p;
    return SYM->nodes && shadow_has((uintptr_t)p, size);
}

TSL_SLOW void __teasel_sym_byval_in_slow(uint32_t place, void *p, uint64_t size) {
    __teasel_sym_copy_slow(p, SYM->byval[place], size);
}

TSL_SLOW const void *__teasel_sym_variadic_slow(uint32_t fixed) {
    unsigned n = TSL_HOT->nargs > fixed ? TSL_HOT->nargs - fixed : 0;
    memset(SYM->variadic, 0, sizeof SYM->variadic);
    for (unsigned i = 0; i < n && fixed + i < TSL_SYM_ARGS; i++)
        SYM->variadic[i] = TSL_HOT->args[fixed + i];
    return SYM->variadic;
}

uintptr_t variadic_place(const void *list, unsigned i) {
#if defined(__x86_64__)
    const struct {
        uint32_t gp_offset, fp_offset;
        char *overflow, *saved;
    } *va = list;
    uint32_t offset = va->gp_offset + 8 * i;
    return offset < 48
               ? (uintptr_t)va->saved + offset
               : (uintptr_t)va->overflow + (offset - (va->gp_offset > 48 ? va->gp_offset : 48));
#else
    const struct {
        char *stack, *gr_top, *vr_top;
        int32_t gr_offset, vr_offset;
    } *va = list;
    int32_t offset = va->gr_offset + 8 * (int32_t)i;
    return offset < 0 ? (uintptr_t)va->gr_top + (uintptr_t)(intptr_t)offset
                      : (uintptr_t)va->stack + (uintptr_t)offset;
#endif
}

TSL_SLOW void __teasel_sym_va_start_slow(void *list, const void *labels, uint32_t fixed) {
    const uint32_t *label = labels;
    (void)fixed;
    if (!SYM->nodes)
        return;
    for (unsigned i = 0; i < TSL_SYM_ARGS; i++)
        if (label[i]) {
            unsigned size = (node_at(label[i])->width + 7u) / 8u;
            shadow_set(variadic_place(list, i), size, label[i]);
        }
}

// The next functions are for those of the runtime that follow labels.
uint32_t tslrt_arg_label(const void *self, unsigned place) {
    return TSL_HOT->args_for == self ? TSL_HOT->args[place] : 0;
}

void tslrt_args_taken(const void *self) {
    if (TSL_HOT->args_for == self)
        TSL_HOT->args_for = NULL;
}

void tslrt_give_label(const void *self, uint32_t label) {
    TSL_HOT->ret[0] = label;
    TSL_HOT->ret_from = label ? self : NULL;
}

void tslrt_pass_label(const void *function, uint32_t label) {
    TSL_HOT->args[0] = label;
    TSL_HOT->nargs = 1;
    TSL_HOT->args_for = function;
}

uint32_t tslrt_take_label(const void *function) {
    if (TSL_HOT->ret_from != function)
        return 0;
    TSL_HOT->ret_from = NULL;
    return TSL_HOT->ret[0];
}
