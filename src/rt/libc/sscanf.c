// Scanning, for instrumented code: libc scans, then the text is gone through again, as glibc does,
// with the labels of its characters.
//
// Each character that is looked at is an input branch, so the places where conversions begin and
// end, and how many succeed, are the same for all inputs on a path.  Numbers are expressions,
// strings are copied.  The text is a string, or the rest of an input that a stream reads.
#include <string.h>

#include "../quick.h"
#include "../symbol/symbol.h"
#include "../sync/objects.h"
#include "character.h"
#include "follow.h"
#include "format.h"
#include "formatted.h"

typedef struct scanning {
    const char *text, *at;
    const char *end; // NULL if the text is a string
    varargs *args;
    uint32_t site;
    int assigned;
} scanning;

// How a directive ends.
enum outcome { MATCHES, MATCH_FAILS, INPUT_ENDS, NOT_FOLLOWED };

static bool ends_at(const scanning *s, const char *at) {
    return s->end ? at == s->end : decide_end(at, s->site);
}

static bool ends(const scanning *s) { return ends_at(s, s->at); }

// The text at `at` does not match.  Whether it ends there matters only if nothing was assigned yet.
static enum outcome fails(const scanning *s, const char *at) {
    return s->assigned == 0 && ends_at(s, at) ? INPUT_ENDS : MATCH_FAILS;
}

static void skip_spaces(scanning *s) {
    while (s->at != s->end && decide_space(s->at, s->site))
        s->at++;
}

static enum outcome match(scanning *s, char c) {
    if (s->at == s->end || !decide_is(s->at, (uint8_t)c, s->site))
        return fails(s, s->at);
    s->at++;
    return MATCHES;
}

static const char *limit_of(const scanning *s, int width) {
    const char *limit = width ? s->at + width : NULL;
    return s->end && (!limit || limit > s->end) ? s->end : limit;
}

// ---------------------------------------------------------------- conversions

static void *destination(scanning *s, const directive *d, size_t size) {
    if (d->suppressed)
        return NULL;
    void *p = varargs_pointer(s->args, s->site);
    tslrt_wrote(p, size);
    tslrt_heap_check_also((uintptr_t)p, size, s->site, TSL_EV_WRITE);
    return p;
}

static void store(scanning *s, const directive *d, uint32_t label) {
    uint64_t stored = 0;
    void *p = destination(s, d, d->size);
    if (!p)
        return;
    memcpy(&stored, p, d->size);
    label = tslrt_follow_fitted(label, 8u * d->size, stored, s->site);
    if (label)
        shadow_set((uintptr_t)p, d->size, label);
    else
        shadow_clear((uintptr_t)p, d->size);
}

static enum outcome scan_integer(scanning *s, const directive *d) {
    int base = d->kind == 'i' ? 0 : d->kind == 'o' ? 8 : d->kind == 'x' || d->kind == 'X' ? 16 : 10;
    skip_spaces(s);
    const char *start = s->at;
    followed_number n = tslrt_follow_integer(start, limit_of(s, d->width), base, s->site);
    s->at = n.end; // a sign without a number is consumed, too
    if (!n.is_number)
        return fails(s, start);
    store(s, d, n.label);
    s->assigned += !d->suppressed;
    return MATCHES;
}

// The characters from `from` on were stored, followed by a 0 if `ended`.
static void store_text(scanning *s, const directive *d, const char *from, bool ended) {
    size_t n = (size_t)(s->at - from);
    char *to = destination(s, d, n + ended);
    if (!to)
        return;
    tslrt_symbols_copy(to, from, n);
    if (ended)
        tslrt_symbols_fill(to + n, 0, 1);
    s->assigned++;
}

static enum outcome scan_characters(scanning *s, const directive *d) {
    const char *from = s->at, *limit = limit_of(s, d->width ? d->width : 1);
    while (s->at != limit && !ends(s))
        s->at++;
    if (s->at == from)
        return INPUT_ENDS;
    store_text(s, d, from, false);
    return MATCHES;
}

static enum outcome scan_word(scanning *s, const directive *d) {
    skip_spaces(s);
    const char *from = s->at, *limit = limit_of(s, d->width);
    while (s->at != limit && !ends(s) && !decide_space(s->at, s->site))
        s->at++;
    if (s->at == from)
        return INPUT_ENDS;
    store_text(s, d, from, true);
    return MATCHES;
}

static enum outcome scan_count(scanning *s, directive d) {
    bool suppressed = d.suppressed;
    store(s, &d, 0);
    return suppressed ? NOT_FOLLOWED : MATCHES;
}

// ---------------------------------------------------------------- sets of characters

typedef struct char_set {
    bool has[256];
} char_set;

// Sets like [a-z_], [^,] and []x].  A - at either end of a set stands for itself.
static void read_set(const directive *d, char_set *set) {
    const uint8_t *at = memchr(d->start, '[', (size_t)(d->end - d->start));
    const uint8_t *last = (const uint8_t *)d->end - 1; // the ]
    bool inverted = *++at == '^';
    memset(set, inverted, sizeof *set);
    for (at += inverted; at < last; at++) {
        unsigned to = at[1] == '-' && at + 2 < last && at[2] >= at[0] ? at[2] : at[0];
        for (unsigned c = at[0]; c <= to; c++)
            set->has[c] = !inverted;
        at += to != at[0] ? 2 : 0;
    }
}

static bool decide_member(const char *p, const char_set *set, uint32_t site) {
    uint32_t label = character_label(p), any = 0;
    for (unsigned from = 0, to; label && from < 256; from = to) {
        for (to = from; to < 256 && set->has[to] == set->has[from]; to++)
            ;
        if (!set->has[from] || to - from == 256)
            continue;
        uint32_t one = character_in(label, (uint8_t)from, (uint8_t)(to - from));
        any = any ? node_two(TSL_EXPR_OR, 1, any, one) : one;
    }
    branch_on(any, set->has[(uint8_t)*p], 0, site);
    return set->has[(uint8_t)*p];
}

static enum outcome scan_set(scanning *s, const directive *d) {
    char_set set;
    const char *from = s->at, *limit = limit_of(s, d->width);
    if (d->end[-1] != ']')
        return NOT_FOLLOWED;
    read_set(d, &set);
    while (s->at != limit && !ends(s) && decide_member(s->at, &set, s->site))
        s->at++;
    if (s->at == from)
        return fails(s, from);
    store_text(s, d, from, true);
    return MATCHES;
}

// ---------------------------------------------------------------- the format

static enum outcome scan_directive(scanning *s, const directive *d) {
    if (!d->is_plain || !d->kind || d->has_precision || d->size > 8)
        return NOT_FOLLOWED;
    if (strchr("diouxX", d->kind))
        return scan_integer(s, d);
    if (d->kind == 'n')
        return scan_count(s, *d);
    if (d->kind == '%') {
        skip_spaces(s);
        return match(s, '%');
    }
    if (d->size != sizeof(int)) // wide characters
        return NOT_FOLLOWED;
    return d->kind == 'c'   ? scan_characters(s, d)
           : d->kind == 's' ? scan_word(s, d)
           : d->kind == '[' ? scan_set(s, d)
                            : NOT_FOLLOWED;
}

static enum outcome follow(scanning *s, const char *format) {
    enum outcome got = MATCHES;
    while (*format && got == MATCHES) {
        if (*format == ' ' || (*format >= 9 && *format <= 13)) {
            skip_spaces(s);
            format++;
        } else if (*format != '%') {
            got = match(s, *format++);
        } else {
            directive d = format_directive(format, true);
            got = scan_directive(s, &d);
            format = d.end;
        }
    }
    return got;
}

// libc has returned `result`, and has read up to `behind` unless that is NULL.
static void check(scanning *s, const char *name, const char *format, int result,
                  const char *behind) {
    size_t left = s->end ? (size_t)(s->end - s->text) : strlen(s->text) + 1;
    bool matters = shadow_has((uintptr_t)s->text, left);
    enum outcome got = follow(s, format);
    int expected = got == INPUT_ENDS && s->assigned == 0 ? EOF : s->assigned;
    bool wrong = got == NOT_FOLLOWED || expected != result || (behind && behind != s->at);
    if ((wrong && matters) || shadow_has((uintptr_t)format, strlen(format) + 1))
        format_lost(name);
}

// ---------------------------------------------------------------- for programs

static int scan_string(const char *name, const char *text, const char *format, va_list list,
                       uint32_t site) {
    varargs args;
    va_copy(args.list, list);
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)text, (uintptr_t)format};
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tslrt_libc_begin(&tsl_libc_rows[TSL_ROW_sscanf], given, site, true);
    formatted_locale(format, true);
    int result = vsscanf(text, format, list);
    formatted_stores(format, args.list, result, text, site);
    if (tslrt_follows()) {
        scanning s = {.text = text, .at = text, .args = &args, .site = site};
        check(&s, name, format, result, NULL);
    }
    va_end(args.list);
    return result;
}

static int scan_stream(const char *name, FILE *file, const char *format, va_list list,
                       uint32_t site) {
    varargs args;
    va_copy(args.list, list);
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)file, (uintptr_t)format};
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tslrt_libc_begin(&tsl_libc_rows[TSL_ROW_fscanf], given, site, true);
    formatted_locale(format, true);
    tslrt_source from = tslrt_stream_source(file);
    if (from.input < 0)
        tslrt_symbols_back();
    int result = vfscanf(file, format, list);
    formatted_stores(format, args.list, result, NULL, site);
    tslrt_call_leaves(site);
    if (from.input >= 0 && tslrt_follows()) {
        scanning s = {.args = &args, .site = site};
        s.text = s.at = tslrt_outside_text(from, &s.end);
        check(&s, name, format, result, s.text + tslrt_stream_read(file, from));
    }
    va_end(args.list);
    return result;
}

FOLLOWED(sscanf, 2, const char *text AND, scan_string("sscanf", text, format, used, site))
FOLLOWED(fscanf, 2, FILE *file AND, scan_stream("fscanf", file, format, used, site))
FOLLOWED(scanf, 1, , scan_stream("scanf", stdin, format, used, site))
