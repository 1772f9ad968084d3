
#include <string.h>

#include "../state.h"
#include "../symbol/symbol.h"
#include "follow.h"
#include "format.h"

// ---------------------------------------------------------------- directives

static const char *number(const char *at, int *value) {
    for (*value = 0; *at >= '0' && *at <= '9'; at++)
        *value = *value < 1000000 ? *value * 10 + (*at - '0') : *value;
    return at;
}

// 3$
static const char *argument(const char *at, unsigned *which) {
    int value;
    const char *end = number(at, &value);
    *which = end > at && *end == '$' ? (unsigned)value : 0;
    return *which ? end + 1 : at;
}

static const char *flags(directive *d, const char *at, bool scans) {
    for (; *at && strchr(scans ? "*'Im" : "-+ #0'I", *at); at++) {
        d->suppressed |= *at == '*';
        d->left |= *at == '-';
        d->zero |= *at == '0';
        d->is_plain &= *at == '*' || *at == '-' || *at == '0';
    }
    return at;
}

static const char *width(directive *d, const char *at) {
    return *at == '*' ? argument(at + 1, &d->star[d->stars++]) : number(at, &d->width);
}

static const char *precision(directive *d, const char *at) {
    if (*at != '.')
        return at;
    d->has_precision = true;
    if (at[1] != '*')
        return number(at + 1, &d->precision);
    return argument(at + 2, &d->star[d->stars++]);
}

static const char *length(directive *d, const char *at) {
    d->size = sizeof(int);
    for (; *at && strchr("hlLqjzt", *at); at++)
        d->size = *at == 'L'                 ? sizeof(long double)
                  : *at != 'h'               ? sizeof(long)
                  : d->size == sizeof(short) ? 1
                                             : sizeof(short);
    return at;
}

// [abc], []abc], [^]abc]
static const char *behind_set(const char *at) {
    at += *at == '^';
    at += *at == ']';
    at += strcspn(at, "]");
    return *at ? at + 1 : at;
}

directive format_directive(const char *start, bool scans) {
    directive d = {.start = start, .is_plain = true, .precision = -1};
    const char *at = argument(start + 1, &d.number);
    d.is_plain = !d.number;
    at = flags(&d, at, scans);
    at = length(&d, precision(&d, width(&d, at)));
    d.kind = *at;
    at += *at != 0;
    d.end = d.kind == '[' ? behind_set(at) : at;
    return d;
}

// ---------------------------------------------------------------- arguments

enum { IN_REGISTERS = 6 }; // of x86-64; aarch64 passes eight

void varargs_forget(const void *list, unsigned n) {
    for (unsigned i = 0; SYM->nodes && i < n; i++)
        shadow_clear(variadic_place(list, i), 8);
}

unsigned varargs_take(const void *self, unsigned fixed, const void *list, uint32_t site) {
    unsigned n = SYM->nodes && TSL_HOT->args_for == self ? TSL_HOT->nargs - fixed : 0;
    const void *labels = n ? __teasel_sym_variadic_slow(fixed) : NULL;
    tslrt_follow_args(self, ~0u << fixed, site);
    varargs_forget(list, IN_REGISTERS - fixed); // labels of earlier calls
    if (labels)
        __teasel_sym_va_start_slow((void *)list, labels, fixed);
    return n;
}

uint64_t varargs_integer(varargs *v, unsigned size, uint32_t *label) {
    uintptr_t place = variadic_place(&v->list, 0);
    unsigned bytes = size == 8 ? 8 : 4;
    uint64_t value = bytes == 8 ? va_arg(v->list, uint64_t) : va_arg(v->list, uint32_t);
    *label = SYM->nodes ? shadow_load(place, bytes, value) : 0;
    return value;
}

void *varargs_pointer(varargs *v, uint32_t site) {
    uint32_t label;
    void *p = (void *)varargs_integer(v, sizeof p, &label);
    tslrt_follow_pin(label, site);
    return p;
}

void format_lost(const char *function) {
    if (!node_any()) // nothing depends on inputs yet
        return;
    RUN->trace.flags |= TSL_TRACE_CONCRETISED;
    tslrt_say("%s takes inputs as they come where its format is not followed", function);
}
