#include "formatted.h"

#include <string.h>
#include <wchar.h>

#include "../extern.h"
#include "format.h"

// What a walk through the arguments of printf does with each piece of memory.
typedef struct walk {
    void (*string)(struct walk *w, const void *p, uint64_t size);
    void (*count)(struct walk *w, const void *p, uint64_t size);
    uint32_t site;
    bool found;
} walk;

static bool is_real(char kind) { return kind && strchr("fFeEgGaA", kind); }

static int taken_width(directive *d, va_list *list) {
    int last = d->precision;
    for (unsigned i = 0; i < d->stars; i++)
        last = va_arg(*list, int);
    bool is_precision = d->has_precision && (d->stars == 2 || (d->stars == 1 && d->precision < 0));
    return is_precision ? last : d->precision;
}

static uint64_t string_size(const directive *d, const void *s, int most) {
    bool wide = d->kind == 'S' || (d->kind == 's' && d->size == sizeof(long));
    size_t limit = most >= 0 && d->has_precision ? (size_t)most : SIZE_MAX / 8;
    size_t n = wide ? wcsnlen(s, limit) : strnlen(s, limit);
    return (n < limit ? n + 1 : n) * (wide ? sizeof(wchar_t) : 1);
}

// False: the rest can't be understood.
static bool walk_directive(walk *w, directive *d, va_list *list) {
    int most = taken_width(d, list);
    if (d->kind == '%' || d->kind == 'm')
        return true;
    if (is_real(d->kind)) {
        if (d->size == sizeof(long double))
            (void)va_arg(*list, long double);
        else
            (void)va_arg(*list, double);
        return true;
    }
    if (!d->kind || !strchr("diouxXcCsSpn", d->kind))
        return false;
    uint64_t value =
        d->size == 8 || strchr("sSpn", d->kind) ? va_arg(*list, uint64_t) : va_arg(*list, unsigned);
    const void *p = (const void *)value;
    if ((d->kind == 's' || d->kind == 'S') && p && w->string)
        w->string(w, p, w->found ? 0 : string_size(d, p, most));
    if (d->kind == 'n' && p && w->count)
        w->count(w, p, d->size);
    return true;
}

static void walk_format(walk *w, const char *format, va_list list) {
    va_list own;
    va_copy(own, list);
    while (*format) {
        if (*format != '%') {
            format++;
            continue;
        }
        directive d = format_directive(format, false);
        format = d.end;
        if (!walk_directive(w, &d, &own))
            break;
    }
    va_end(own);
}

static void note_found(walk *w, const void *p, uint64_t size) {
    (void)size;
    w->found |= !tslrt_is_constant(p);
}

bool formatted_has_strings(const char *format, va_list list) {
    walk w = {.string = note_found, .count = note_found};
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return false;
    walk_format(&w, format, list);
    return w.found;
}

static void read_string(walk *w, const void *p, uint64_t size) {
    tslrt_call_reads(p, size, w->site);
}

void formatted_reads(const char *format, va_list list, uint32_t site) {
    walk w = {.string = read_string, .site = site};
    walk_format(&w, format, list);
}

void formatted_begin(enum tsl_libc_row row, const uint64_t *args, const char *format, va_list list,
                     uint32_t site) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tslrt_libc_begin(&tsl_libc_rows[row], args, site, formatted_has_strings(format, list));
    formatted_reads(format, list, site);
}

static void stored_count(walk *w, const void *p, uint64_t size) {
    tslrt_call_writes(p, size, w->site);
}

void formatted_counts(const char *format, va_list list, uint32_t site) {
    walk w = {.count = stored_count, .site = site};
    walk_format(&w, format, list);
}

// ---------------------------------------------------------------- scanf

// How many bytes a conversion that succeeded has stored at p.
static uint64_t stored_size(const directive *d, const void *p) {
    bool wide = d->size == sizeof(long),
         allocated = memchr(d->start, 'm', (size_t)(d->end - d->start));
    switch (d->kind) {
    case 'c':
    case 'C':
        if (!allocated)
            return (d->width ? (uint64_t)d->width : 1) *
                   (wide || d->kind == 'C' ? sizeof(wchar_t) : 1);
        return sizeof(char *);
    case 's':
    case 'S':
    case '[':
        if (allocated)
            return sizeof(char *);
        return wide || d->kind == 'S' ? (wcslen(p) + 1) * sizeof(wchar_t) : strlen(p) + 1;
    case 'p':
        return sizeof(void *);
    default:
        return d->size;
    }
}

void formatted_stores(const char *format, va_list list, int result, uint32_t site) {
    va_list own;
    int stored = 0;
    va_copy(own, list);
    while (*format) {
        if (*format != '%') {
            format++;
            continue;
        }
        directive d = format_directive(format, true);
        format = d.end;
        if (!d.kind || stored > result || (stored == result && d.kind != 'n'))
            break;
        if (d.suppressed || d.kind == '%')
            continue;
        const void *p = va_arg(own, const void *);
        tslrt_call_writes(p, stored_size(&d, p), site);
        stored += d.kind != 'n';
    }
    va_end(own);
}
