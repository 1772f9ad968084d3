// Printing into memory, for instrumented code: libc prints, then the output is gone through again
// with the labels of the arguments.
//
// The number of digits is an input branch, one comparison per digit, so that the length of the text
// and the place of everything in it are the same for all inputs on a path.  A digit is an
// expression.  Numbers with a precision or with rarer flags are pinned.
#include <string.h>

#include "../quick.h"
#include "../symbol/symbol.h"
#include "../sync/objects.h"
#include "character.h"
#include "follow.h"
#include "format.h"
#include "formatted.h"

// The text that was printed, of which the part up to `at` has been followed.
typedef struct printed {
    char *to;
    size_t size, at; // size: of the buffer
    uint32_t site;
    bool wrong; // libc has printed something else
} printed;

static void put(printed *out, char c, uint32_t label) {
    if (out->at + 1 < out->size) {
        char *p = out->to + out->at;
        out->wrong |= *p != c;
        if (label && *p == c)
            shadow_set((uintptr_t)p, 1, label);
    }
    out->at++;
}

static void pad(printed *out, char c, int n) {
    for (; n > 0; n--)
        put(out, c, 0);
}

static void put_padded(printed *out, const directive *d, const char *text, const uint32_t *labels,
                       int n) {
    pad(out, ' ', d->left ? 0 : d->width - n);
    for (int i = 0; i < n; i++)
        put(out, text[i], labels ? labels[i] : 0);
    pad(out, ' ', d->left ? d->width - n : 0);
}

// ---------------------------------------------------------------- numbers

typedef struct number {
    uint64_t value; // without its sign
    uint32_t label; // or 0
    unsigned width, base;
    bool minus, upper;
} number;

static uint32_t constant(const number *n, uint64_t value) { return node_const(n->width, value); }

// The value of the argument, cut to the size of the conversion.
static number number_of(const directive *d, uint64_t value, uint32_t label, uint32_t site) {
    number n = {.width = 8u * d->size,
                .base = d->kind == 'o'                     ? 8
                        : d->kind == 'x' || d->kind == 'X' ? 16
                                                           : 10,
                .upper = d->kind == 'X'};
    uint64_t mask = (uint64_t)wide_mask(n.width);
    n.value = value & mask;
    n.label = label && node_at(label)->width > n.width ? node_cut(n.width, 0, label) : label;
    if (d->kind != 'd' && d->kind != 'i')
        return n;
    n.minus = n.value >> (n.width - 1);
    if (n.label)
        branch_on(node_test(TSL_EXPR_SLT, n.label, constant(&n, 0)), n.minus, 0, site);
    if (n.minus) {
        n.value = (0 - n.value) & mask;
        n.label = n.label ? node_two(TSL_EXPR_SUB, n.width, constant(&n, 0), n.label) : 0;
    }
    return n;
}

// Counts the digits; `unit` gets the value of a 1 in the first place.
static int count_digits(const number *n, uint64_t *unit, uint32_t site) {
    uint64_t most = (uint64_t)wide_mask(n->width);
    int digits = 1;
    for (*unit = 1; *unit <= most / n->base; *unit *= n->base, digits++) {
        uint64_t limit = *unit * n->base;
        if (n->label)
            branch_on(node_test(TSL_EXPR_ULT, n->label, constant(n, limit)), n->value < limit, 0,
                      site);
        if (n->value < limit)
            break;
    }
    return digits;
}

// A character of four constant bits and four that vary.  The constant ones show, for instance, that
// a digit does not end a string.
static uint32_t figure(unsigned high, uint32_t low) {
    return node_two(TSL_EXPR_CONCAT, 8, node_const(4, high), low);
}

static uint32_t digit_label(const number *n, uint64_t unit, bool is_first) {
    uint32_t d = n->label;
    if (unit > 1)
        d = node_two(TSL_EXPR_UDIV, n->width, d, constant(n, unit));
    if (!is_first)
        d = node_two(TSL_EXPR_UREM, n->width, d, constant(n, n->base));
    d = node_cut(4, 0, d);
    if (n->base <= 10)
        return figure('0' >> 4, d);
    uint32_t letter = node_two(TSL_EXPR_SUB, 4, d, node_const(4, 9)); // a is number 10
    return node_if(8, node_test(TSL_EXPR_ULT, d, node_const(4, 10)), figure('0' >> 4, d),
                   figure((n->upper ? 'A' : 'a') >> 4, letter));
}

static void put_number(printed *out, directive *d, number n) {
    char text[24];
    uint32_t labels[24];
    uint64_t unit;
    int digits = count_digits(&n, &unit, out->site), at = 0;
    if (d->zero && !d->left) { // in front of the digits, behind the sign
        if (n.minus)
            put(out, '-', 0);
        pad(out, '0', d->width - digits - n.minus);
        d->width = 0;
    } else if (n.minus) {
        labels[at] = 0;
        text[at++] = '-';
    }
    for (int i = 0; i < digits; i++, unit /= n.base) {
        uint64_t digit = n.value / unit % n.base;
        labels[at] = n.label ? digit_label(&n, unit, i == 0) : 0;
        text[at++] = (n.upper ? "0123456789ABCDEF" : "0123456789abcdef")[digit];
    }
    put_padded(out, d, text, labels, at);
}

// ---------------------------------------------------------------- other conversions

static void put_string(printed *out, const directive *d, const char *s) {
    size_t most = d->precision >= 0 ? (size_t)d->precision : (size_t)-1 >> 1;
    if (!s) {
        out->wrong |= most < 6; // libc prints something else then
        put_padded(out, d, "(null)", NULL, 6);
        return;
    }
    size_t n = strnlen(s, most);
    tslrt_follow_length(s, most, n, out->site);
    pad(out, ' ', d->left ? 0 : d->width - (int)n);
    for (size_t i = 0; i < n; i++)
        put(out, s[i], shadow_load((uintptr_t)(s + i), 1, (uint8_t)s[i]));
    pad(out, ' ', d->left ? d->width - (int)n : 0);
}

static bool is_real(const directive *d) { return d->kind && strchr("fFeEgGaA", d->kind); }

// Asks libc for the length of a conversion that is not followed.
static void skip(printed *out, const directive *d, const int *stars, uint64_t value,
                 long double real) {
    char form[48];
    size_t n = (size_t)(d->end - d->start);
    out->wrong |= n >= sizeof form;
    if (out->wrong)
        return;
    memcpy(form, d->start, n);
    form[n] = 0;
#define LENGTH(x)                                                                                  \
    (d->stars == 0   ? snprintf(NULL, 0, form, x)                                                  \
     : d->stars == 1 ? snprintf(NULL, 0, form, stars[0], x)                                        \
                     : snprintf(NULL, 0, form, stars[0], stars[1], x))
    int length = !is_real(d)                      ? LENGTH(value)
                 : d->size == sizeof(long double) ? LENGTH(real)
                                                  : LENGTH((double)real);
#undef LENGTH
    out->wrong |= length < 0;
    out->at += length > 0 ? (size_t)length : 0;
}

// ---------------------------------------------------------------- the format

static void take_stars(printed *out, directive *d, varargs *args, int stars[2]) {
    for (unsigned i = 0; i < d->stars; i++) {
        uint32_t label;
        stars[i] = (int)varargs_integer(args, sizeof(int), &label);
        tslrt_follow_pin(label, out->site);
    }
    bool width = d->stars && (d->stars == 2 || !d->has_precision || d->precision >= 0);
    if (width) {
        d->left |= stars[0] < 0;
        d->width = stars[0] < 0 ? -stars[0] : stars[0];
    }
    if (d->stars == 2 || (d->stars == 1 && !width))
        d->precision = stars[d->stars - 1];
}

static bool is_integer(const directive *d) { return strchr("diouxX", d->kind) != NULL; }

static void put_integer(printed *out, directive *d, varargs *args, const int *stars) {
    uint32_t label;
    uint64_t value = varargs_integer(args, d->size, &label);
    if (d->is_plain && !d->has_precision) {
        put_number(out, d, number_of(d, value, label, out->site));
        return;
    }
    tslrt_follow_pin(label, out->site);
    skip(out, d, stars, value, 0);
}

static void put_character(printed *out, const directive *d, varargs *args) {
    uint32_t label;
    char c = (char)varargs_integer(args, sizeof(int), &label);
    label = label ? node_cut(8, 0, label) : 0;
    put_padded(out, d, &c, &label, 1);
}

static void put_directive(printed *out, directive d, varargs *args) {
    int stars[2] = {0, 0};
    out->wrong |= d.number != 0; // arguments by number are not followed
    if (out->wrong)
        return;
    take_stars(out, &d, args, stars);
    if (d.kind == '%')
        put(out, '%', 0);
    else if (d.kind && is_integer(&d) && d.size <= 8)
        put_integer(out, &d, args, stars);
    else if (d.kind == 'c' && d.size == sizeof(int))
        put_character(out, &d, args);
    else if (d.kind == 's' && d.size == sizeof(int))
        put_string(out, &d, varargs_pointer(args, out->site));
    else if (is_real(&d))
        skip(out, &d, stars, 0,
             d.size == sizeof(long double) ? va_arg(args->list, long double)
                                           : va_arg(args->list, double));
    else if (d.kind == 'm')
        skip(out, &d, stars, 0, 0);
    else if (d.kind == 'n')
        varargs_pointer(args, out->site);
    else if (d.kind && strchr("pcsCS", d.kind))
        skip(out, &d, stars, (uint64_t)varargs_pointer(args, out->site), 0);
    else
        out->wrong = true;
}

static void follow(printed *out, const char *format, varargs *args) {
    while (*format && !out->wrong) {
        if (*format != '%') {
            put(out, *format++, 0);
            continue;
        }
        directive d = format_directive(format, false);
        put_directive(out, d, args);
        format = d.end;
    }
}

static int print(const char *name, char *to, size_t size, const char *format, va_list list,
                 uint32_t site) {
    varargs args;
    int error = errno; // %m prints it
    va_copy(args.list, list);
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    if (size || formatted_has_strings(format, list))
        tslrt_call_step(site);
    tslrt_call_follows(format, strlen(format) + 1, site);
    formatted_reads(format, list, tslrt_call_follows, site);
    int n = vsnprintf(to, size, format, list);
    size_t stored = n < 0 || !size ? 0 : (size_t)n + 1 < size ? (size_t)n + 1 : size;
    tslrt_call_writes(to, stored, site);
    formatted_counts(format, args.list, site);
    if (tslrt_follows() && n >= 0) {
        printed out = {.to = to, .size = size, .site = site};
        int after = errno;
        errno = error;
        shadow_clear((uintptr_t)to, stored);
        follow(&out, format, &args);
        errno = after;
        if (out.wrong || out.at != (size_t)n || shadow_has((uintptr_t)format, strlen(format) + 1))
            format_lost(name);
    }
    va_end(args.list);
    return n;
}

// sprintf has unlimited room.
#define ANY ((size_t)1 << 30)

#define NAME (__func__ + sizeof "__teasel_" - 1)

FOLLOWED(snprintf, 3, char *to AND size_t size AND, print(NAME, to, size, format, used, site))
FOLLOWED(sprintf, 2, char *to AND, print(NAME, to, ANY, format, used, site))
