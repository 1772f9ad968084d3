
#include <string.h>
#include <wchar.h>

#include "../census.h"
#include "../hidden.h"
#include "../image.h"
#include "abi/conflict.h"
#include "format.h"
#include "formatted.h"

// What a walk through the arguments of printf does with each piece of memory.
typedef struct walk {
    void (*string)(struct walk *w, const void *p, uint64_t size);
    void (*count)(struct walk *w, const void *p, uint64_t size);
    tslrt_teller *tell; // of strings or counts
    uint32_t site;
    bool found;
} walk;

static bool is_real(char kind) { return kind && strchr("fFeEgGaA", kind); }

// The last of two stars, or the only one, is the precision.
static bool is_precision_argument(const directive *d) {
    return d->has_precision && (d->stars == 2 || (d->stars == 1 && d->precision < 0));
}

static int taken_width(const directive *d, va_list *list) {
    int last = d->precision;
    for (unsigned i = 0; i < d->stars; i++)
        last = va_arg(*list, int);
    return is_precision_argument(d) ? last : d->precision;
}

static uint64_t string_size(const directive *d, const void *s, int most) {
    bool wide = d->kind == 'S' || (d->kind == 's' && d->size == sizeof(long));
    size_t limit = most >= 0 && d->has_precision ? (size_t)most : SIZE_MAX / 8;
    size_t n = wide ? wcsnlen(s, limit) : strnlen(s, limit);
    return (n < limit ? n + 1 : n) * (wide ? sizeof(wchar_t) : 1);
}

static void walk_pointer(walk *w, const directive *d, const void *p, int most) {
    if ((d->kind == 's' || d->kind == 'S') && p && w->string)
        w->string(w, p, w->found ? 0 : string_size(d, p, most));
    if (d->kind == 'n' && p && w->count)
        w->count(w, p, d->size);
}

// How an argument is passed.
enum form { NOTHING, INTEGER, LONG, REAL, LONG_REAL, UNKNOWN_FORM };

static enum form form_of(const directive *d) {
    if (d->kind == '%' || d->kind == 'm')
        return NOTHING;
    if (is_real(d->kind))
        return d->size == sizeof(long double) ? LONG_REAL : REAL;
    if (!d->kind || !strchr("diouxXcCsSpn", d->kind))
        return UNKNOWN_FORM;
    return d->size == 8 || strchr("sSpn", d->kind) ? LONG : INTEGER;
}

static uint64_t take(enum form form, va_list *list) {
    switch (form) {
    case INTEGER:
        return va_arg(*list, unsigned);
    case LONG:
        return va_arg(*list, uint64_t);
    case REAL:
        (void)va_arg(*list, double);
        return 0;
    case LONG_REAL:
        (void)va_arg(*list, long double);
        return 0;
    default:
        return 0;
    }
}

// Finds the next conversion of a format.  False if there is none.
static bool next_directive(const char **format, bool scans, directive *d) {
    *format += strcspn(*format, "%");
    if (!**format)
        return false;
    *d = format_directive(*format, scans);
    *format = d->end;
    return true;
}

// Arguments that a format refers to by number: how each is passed, and its value.
enum { MOST_NUMBERED = 64 };

typedef struct numbered {
    enum form form[MOST_NUMBERED + 1];
    uint64_t value[MOST_NUMBERED + 1];
} numbered;

static void note_form(numbered *args, unsigned which, enum form form) {
    if (which <= MOST_NUMBERED)
        args->form[which] = form;
}

static uint64_t value_of(const numbered *args, unsigned which) {
    return which <= MOST_NUMBERED ? args->value[which] : 0;
}

static void walk_numbered(walk *w, const char *format, va_list *list) {
    numbered args = {{NOTHING}, {0}};
    directive d;
    for (const char *at = format; next_directive(&at, false, &d);) {
        note_form(&args, d.number, form_of(&d));
        for (unsigned i = 0; i < d.stars; i++)
            note_form(&args, d.star[i], INTEGER);
    }
    for (unsigned i = 1; i <= MOST_NUMBERED && args.form[i] != NOTHING; i++)
        args.value[i] = take(args.form[i], list);
    for (const char *at = format; next_directive(&at, false, &d);) {
        bool given = is_precision_argument(&d);
        int most = given ? (int)value_of(&args, d.star[d.stars - 1]) : d.precision;
        walk_pointer(w, &d, (const void *)value_of(&args, d.number), most);
    }
}

// How many arguments a conversion takes that the program has registered is not known.
static void say_unknown(const walk *w, const directive *d) {
    if (d->kind && w->string && w->site && TSL_HOT->recording != TSL_RECORD_NOTHING)
        tslrt_weaken_at(w->site, TSL_REASON_UNKNOWN_CALL,
                        "what printf does with %%%c is not known, nor what it reads behind it",
                        d->kind);
}

static void walk_in_order(walk *w, const char *format, va_list *list) {
    directive d;
    while (next_directive(&format, false, &d)) {
        int most = taken_width(&d, list);
        enum form form = form_of(&d);
        if (form == UNKNOWN_FORM) {
            say_unknown(w, &d);
            return;
        }
        uint64_t value = take(form, list);
        walk_pointer(w, &d, (const void *)value, most);
    }
}

static bool is_numbered(const char *format) {
    directive d = {.kind = '%'};
    while (d.kind == '%' && next_directive(&format, false, &d))
        ;
    return d.number != 0;
}

static void walk_format(walk *w, const char *format, va_list list) {
    va_list own;
    va_copy(own, list);
    if (is_numbered(format))
        walk_numbered(w, format, &own);
    else
        walk_in_order(w, format, &own);
    va_end(own);
}

static void note_found(walk *w, const void *p, uint64_t size) {
    (void)size;
    w->found |= !tslrt_is_constant(p);
}

// Numbers with a decimal point or in groups, and wide characters, depend on the locale.
static bool looks_at_locale(const char *format, bool scans) {
    directive d;
    while (next_directive(&format, scans, &d)) {
        size_t n = (size_t)(d.end - d.start);
        bool wide = d.size == sizeof(long) && d.kind && strchr("cs[", d.kind);
        if (wide || is_real(d.kind) || d.kind == 'C' || d.kind == 'S' ||
            (d.kind != '[' && (memchr(d.start, '\'', n) || memchr(d.start, 'I', n))))
            return true;
    }
    return false;
}

static bool depends_on_locale(const char *format, bool scans) {
    return TSL_HOT->recording != TSL_RECORD_NOTHING && tslrt_state_matters(TSL_STATE_LOCALE) &&
           looks_at_locale(format, scans);
}

void formatted_locale(const char *format, bool scans) {
    if (depends_on_locale(format, scans))
        tslrt_call_uses(TSL_STATE_LOCALE, TSL_ROLE_READ);
}

bool formatted_has_strings(const char *format, va_list list) {
    walk w = {.string = note_found, .count = note_found};
    if (TSL_HOT->recording == TSL_RECORD_NOTHING)
        return false;
    walk_format(&w, format, list);
    return w.found || depends_on_locale(format, false);
}

static void tell(walk *w, const void *p, uint64_t size) { w->tell(p, size, w->site); }

void formatted_reads(const char *format, va_list list, tslrt_teller *teller, uint32_t site) {
    walk w = {.string = tell, .tell = teller, .site = site};
    formatted_locale(format, false);
    walk_format(&w, format, list);
}

void formatted_begin(enum tsl_libc_row row, const uint64_t *args, const char *format, va_list list,
                     uint32_t site) {
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tslrt_libc_begin(&tsl_libc_rows[row], args, site, formatted_has_strings(format, list));
    formatted_reads(format, list, tslrt_call_teller(&tsl_libc_rows[row], args), site);
}

void formatted_counts(const char *format, va_list list, uint32_t site) {
    walk w = {.count = tell, .tell = tslrt_call_writes, .site = site};
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

static const void *pointer_numbered(unsigned which, va_list list) {
    va_list own;
    const void *p = NULL;
    va_copy(own, list);
    for (unsigned i = 0; i < which; i++)
        p = va_arg(own, const void *);
    va_end(own);
    return p;
}

// The conversion before `from` matched.  May the text between it and `to` have failed to match?
static bool may_fail(const char *from, const char *to) {
    while (from < to && ((*from >= 9 && *from <= 13) || *from == ' '))
        from++;
    return from < to;
}

// Does the text match the format up to `to`?  It is scanned again to see if the scan gets that far.
static bool matches_up_to(const char *text, const char *format, const char *to) {
    enum { ROOM = 512, MORE = 4 };
    char asked[ROOM];
    size_t n = 0;
    int met = -1;
    for (const char *at = format; at < to;) {
        directive d = {.start = at, .end = at + 1};
        if (*at == '%')
            d = format_directive(at, true);
        size_t length = (size_t)(d.end - d.start);
        if (d.number || n + length + MORE > ROOM)
            return false;
        if (*at == '%' && d.kind != 'n') {
            asked[n++] = '%';
            if (!d.suppressed && d.kind != '%')
                asked[n++] = '*';
        }
        size_t head = *at == '%';
        if (d.kind != 'n')
            memcpy(&asked[n], d.start + head, length - head);
        n += d.kind != 'n' ? length - head : 0;
        at = d.end;
    }
    memcpy(&asked[n], "%n", sizeof "%n");
    sscanf(text, asked, &met);
    return met >= 0;
}

// A %n after the last counted conversion is stored if all before it matched, unknown from `result`.
void formatted_stores(const char *format, va_list list, int result, const char *text,
                      uint32_t site) {
    va_list own;
    directive d;
    const char *start = format, *behind = format; // behind: after the last known match
    int stored = 0;
    va_copy(own, list);
    while (next_directive(&format, true, &d)) {
        if (d.suppressed || d.kind == '%')
            continue;
        bool counts = d.kind == 'n';
        if (!d.kind || (!counts && stored >= result))
            break;
        const void *p = d.number ? pointer_numbered(d.number, list) : va_arg(own, const void *);
        bool sure = !counts || stored < result || !may_fail(behind, d.start);
        if (sure || (text && matches_up_to(text, start, d.start)))
            tslrt_call_writes(p, stored_size(&d, p), site);
        else if (!text)
            tslrt_may_touch(p, d.size);
        stored += !counts;
        behind = d.end;
    }
    va_end(own);
}
