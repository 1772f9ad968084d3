// Labels of arguments and results; see cc/symcall.h.
#include <string.h>

#include "../extern.h"
#include "symbol.h"

// The labels of arguments were passed to `function`.  A function that does not take them is not
// instrumented; this is its name.
static const char *name_of(const void *function) {
    for (const tsl_module *m = tslrt->modules; m; m = m->next)
        for (uint32_t i = 0; i < m->nexterns; i++)
            if ((const void *)m->externs[i].function == function)
                return m->externs[i].name;
    return NULL;
}

void tslrt_symbols_untaken(void) {
    const void *function = TSL_HOT->args_for;
    TSL_HOT->args_for = NULL;
    if (!function || !SYM->nodes)
        return;
    const char *name = name_of(function);
    RUN->flags |= TSL_TRACE_CONCRETISED;
    if (name)
        tslrt_say("%s takes arguments that depend on inputs as they come",
                  strncmp(name, "__teasel_", 9) == 0 ? name + 9 : name);
    else
        tslrt_say("a function that is not instrumented takes arguments that depend on inputs "
                  "as they come");
}

// How far the function reads is not known, so memory close to `p` is looked at.  A function that is
// not described may also follow pointers to anywhere.
TSL_SLOW void __teasel_sym_outside_slow(const tsl_extern *callee, const void *p, uint32_t site) {
    enum { CLOSE = 256 };
    (void)site;
    if (!SYM->nodes || !p)
        return;
    bool there = shadow_has((uintptr_t)p, CLOSE);
    if (!there && (callee->row || tslrt_is_constant(p)))
        return;
    RUN->flags |= TSL_TRACE_CONCRETISED;
    tslrt_say(there ? "%s reads memory that depends on inputs as it is"
                    : "%s may read memory that depends on inputs as it is, by pointers",
              callee->name);
}

void tslrt_symbols_read(const char *name, const void *p, uint64_t size) {
    if (!SYM->nodes || !shadow_has((uintptr_t)p, size))
        return;
    RUN->flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("%s reads memory that depends on inputs as it is", name);
}

void tslrt_symbols_copy(void *to, const void *from, uint64_t size) {
    if (__builtin_expect(TSL_HOT->labelled, 0))
        __teasel_sym_copy_slow(to, from, size);
}

void tslrt_symbols_taken(const void *p, uint64_t size) {
    if (__builtin_expect(TSL_HOT->labelled, 0) && p && size)
        tslrt_symbols_read("a function of libc", p, size);
}

void tslrt_symbols_unreturned(const char *name) {
    if (!TSL_HOT->ret_from || !SYM->nodes)
        return;
    TSL_HOT->ret_from = NULL;
    RUN->flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("%s takes what a function of the program returns, which depends on inputs, as it is",
              name);
}

// Inputs leave the process.  If they go to a stream in memory, the program can read them at once.
static void leave(void) {
    RUN->inputs_left = true;
    if (!RUN->nbuffers)
        return;
    RUN->flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("what depends on inputs was printed into memory, and is a plain number there");
}

void tslrt_symbols_aliased(void) {
    if (!SYM->nodes || !TSL_HOT->labelled || !RUN->aliased)
        return;
    RUN->flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("inputs in memory that is mapped at two addresses are followed at one of them");
}

// How many bytes are written is not known here, so a page behind the pointer is looked at.  Looking
// too far only weakens the claim of programs that read from outside later.
TSL_SLOW void __teasel_sym_leaves_slow(uint32_t label, const void *p) {
    enum { CLOSE = 4096 };
    if (label)
        leave();
    else
        tslrt_symbols_leave(p, CLOSE);
}

void tslrt_symbols_leave(const void *p, uint64_t size) {
    if (SYM->nodes && shadow_has((uintptr_t)p, size))
        leave();
}

// The program reads something that is no input, but may be what the program has written before.
// Output to standard output counts if a file or pipe may be in its place; memory counts if it may
// belong to a stream or a mapped file.
void tslrt_symbols_back(void) {
    bool elsewhere = tslrt->redirects || RUN->nbuffers || tslrt_reg()->nfilemaps;
    if (!SYM->nodes || !(RUN->inputs_left || (elsewhere && TSL_HOT->labelled)))
        return;
    RUN->flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("what depends on inputs was written to a file, pipe or socket, and may be read back "
              "as it is");
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
