// Text files with a word and its value on each line; see lines.h.
#include "trace/lines.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/num.h"

// ---------------------------------------------------------------- pieces of text

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static tsl_span trim(tsl_span s) {
    while (s.len && blank(s.at[0]))
        s.at++, s.len--;
    while (s.len && blank(s.at[s.len - 1]))
        s.len--;
    return s;
}

tsl_span tsl_span_word(tsl_span *s) {
    *s = trim(*s);
    tsl_span word = {s->at, 0};
    while (word.len < s->len && !blank(s->at[word.len]))
        word.len++;
    s->at += word.len;
    s->len -= word.len;
    *s = trim(*s);
    return word;
}

bool tsl_span_is(tsl_span s, const char *text) {
    return s.len == strlen(text) && memcmp(s.at, text, s.len) == 0;
}

tsl_quoted tsl_quote(tsl_span s) {
    tsl_quoted q;
    size_t n = 0;
    for (size_t i = 0; i < s.len && n < 40; i++)
        q.text[n++] = s.at[i] >= 0x20 && s.at[i] < 0x7f ? s.at[i] : '?';
    memcpy(q.text + n, s.len > n ? "..." : "", s.len > n ? 4 : 1);
    return q;
}

static int hex_digit(char c) {
    uint64_t value = 0;
    return tsl_num_hex(&c, 1, &value) == TSL_NUM_OK ? (int)value : -1;
}

bool tsl_span_is_hex(tsl_span s) {
    for (size_t i = 0; i < s.len; i++)
        if (hex_digit(s.at[i]) < 0)
            return false;
    return s.len > 0 && s.len % 2 == 0;
}

// ---------------------------------------------------------------- lines

static bool next(tsl_lines *lines, tsl_span *line) {
    if (lines->at >= lines->end)
        return false;
    const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    const char *stop = newline ? newline : lines->end;
    *line = trim((tsl_span){lines->at, (size_t)(stop - lines->at)});
    lines->at = newline ? newline + 1 : lines->end;
    lines->line++;
    return true;
}

// The first line of the file.
static bool read_version(tsl_lines *lines, const tsl_format *format) {
    tsl_span value;
    uint64_t number = 0;
    if (!next(lines, &value))
        return TSL_REFUSE(lines, TSL_EINPUT, "the file is empty; this is not %s", format->what);
    if (!tsl_span_is(tsl_span_word(&value), format->name))
        return TSL_REFUSE(lines, TSL_EINPUT, "this is not %s; its first line must be '%s %u'",
                          format->what, format->name, format->version);
    if (tsl_num_u64(value.at, value.len, &number) != TSL_NUM_OK || number != format->version)
        return TSL_REFUSE(lines, TSL_EVERSION,
                          "version '%s' of the format is not known, only %u is; %s",
                          tsl_quote(value).text, format->version, format->advice);
    return true;
}

static bool read_value(const tsl_lines *lines, const tsl_word *w, void *to, tsl_span value) {
    void *field = (char *)to + w->at;
    char *text = NULL;
    switch (w->kind) {
    case TSL_WORD_TEXT:
        return tsl_lines_text(lines, value, field);
    case TSL_WORD_NEEDED:
        return tsl_lines_needed(lines, w->word, value, field);
    case TSL_WORD_LIST:
        if (!tsl_lines_text(lines, value, &text))
            return false;
        tsl_vec_push((tsl_texts *)field, text);
        return true;
    case TSL_WORD_NUMBER:
        return tsl_lines_number(lines, w->word, value, w->min, w->max, field);
    case TSL_WORD_PARSED:
        break;
    }
    return w->parse(lines, to, value);
}

static bool read_end(tsl_lines *lines, const tsl_format *format, void *to, tsl_span value) {
    lines->ended = true;
    if (value.len)
        return TSL_REFUSE(lines, TSL_EINPUT, "'%s' behind 'end'; remove it", tsl_quote(value).text);
    return !format->at_end || format->at_end(lines, to);
}

static bool read_line(tsl_lines *lines, const tsl_format *format, void *to, tsl_span value) {
    tsl_span word = tsl_span_word(&value);
    if (lines->ended)
        return TSL_REFUSE(lines, TSL_EINPUT, "'%s' behind 'end'; remove it or move it up",
                          tsl_quote(word).text);
    if (tsl_span_is(word, "end"))
        return read_end(lines, format, to, value);
    for (size_t i = 0; i < format->nwords; i++) {
        const tsl_word *w = &format->words[i];
        if (!tsl_span_is(word, w->word))
            continue;
        if ((lines->seen >> i & 1u) && !w->again && w->kind != TSL_WORD_LIST)
            return TSL_REFUSE(lines, TSL_EINPUT, "a second '%s'; keep one of them", w->word);
        lines->seen |= 1u << i;
        return read_value(lines, w, to, value);
    }
    return TSL_REFUSE(lines, TSL_EINPUT, "unknown word '%s'; remove the line or put # in front",
                      tsl_quote(word).text);
}

bool tsl_lines_parse(const tsl_format *format, const char *name, const char *text, size_t len,
                     void *to, tsl_err *err) {
    tsl_lines lines = {.name = name, .at = text, .end = text + len, .err = err};
    tsl_span line;
    TSL_BUG_ON(format->nwords > 32, "%zu words", format->nwords);
    if (len > format->most)
        return tsl_fail(err, TSL_ELIMIT, "%s is larger than %zu bytes; this is not %s", name,
                        format->most, format->what);
    if (!read_version(&lines, format))
        return false;
    while (next(&lines, &line))
        if (line.len && line.at[0] != '#' && !read_line(&lines, format, to, line))
            return false;
    if (!lines.ended)
        return TSL_REFUSE(&lines, TSL_EINPUT, "%s",
                          "the file stops before 'end': it is cut off; copy it again, "
                          "or add a line 'end' if you edited it");
    const char *first = format->words[0].word;
    return (lines.seen & 1u) ||
           TSL_REFUSE(&lines, TSL_EINPUT, "no '%s'; add a line '%s PATH'", first, first);
}

bool tsl_lines_read(const tsl_format *format, const char *path, void *to, tsl_err *err) {
    char *bytes = NULL;
    size_t len = 0;
    if (!tsl_file_read_max(path, format->most, &bytes, &len, err))
        return false;
    bool ok = tsl_lines_parse(format, path, bytes, len, to, err);
    tsl_free(bytes);
    return ok;
}

// ---------------------------------------------------------------- values

bool tsl_lines_number(const tsl_lines *lines, const char *what, tsl_span s, uint64_t min,
                      uint64_t max, uint64_t *out) {
    enum tsl_num problem = tsl_num_u64(s.at, s.len, out);
    const char *why = tsl_num_problem(problem);
    if (problem == TSL_NUM_OK && *out >= min && *out <= max)
        return true;
    if (problem == TSL_NUM_OK)
        why = *out < min ? "is too small" : "is too large";
    return TSL_REFUSE(lines, TSL_EINPUT,
                      "%s '%s' %s; write a whole number from %" PRIu64 " to %" PRIu64, what,
                      tsl_quote(s).text, why, min, max);
}

bool tsl_lines_u32(const tsl_lines *lines, const char *what, tsl_span s, uint32_t min, uint32_t max,
                   uint32_t *out) {
    uint64_t number = 0;
    bool ok = tsl_lines_number(lines, what, s, min, max, &number);
    *out = (uint32_t)number;
    return ok;
}

// The byte of two hex digits, or 0 if these are no digits of a byte other than 0.
static int escaped(tsl_span s, size_t at) {
    int high = at + 2 < s.len ? hex_digit(s.at[at + 1]) : -1;
    int low = high >= 0 ? hex_digit(s.at[at + 2]) : -1;
    return low >= 0 ? high * 16 + low : 0;
}

static bool unescape(const tsl_lines *lines, tsl_span s, char *out) {
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) {
        int c = (unsigned char)s.at[i];
        if (c == '%') {
            c = escaped(s, i);
            i += 2;
        } else if (c == 0) {
            return TSL_REFUSE(lines, TSL_EINPUT, "%s", "a zero byte; remove it");
        } else if ((c < 0x20 && c != '\t') || c == 0x7f) {
            return TSL_REFUSE(lines, TSL_EINPUT, "control character 0x%02x; write it as %%%02X", c,
                              c);
        }
        if (c == 0)
            return TSL_REFUSE(lines, TSL_EINPUT,
                              "'%s' has a %% without the two hex digits of a non-zero byte; "
                              "write %%25 for %% itself",
                              tsl_quote(s).text);
        out[n++] = (char)c;
    }
    return true;
}

bool tsl_lines_text(const tsl_lines *lines, tsl_span s, char **out) {
    char *copy = tsl_alloc(s.len + 1);
    if (!unescape(lines, s, copy)) {
        tsl_free(copy);
        return false;
    }
    *out = copy;
    return true;
}

bool tsl_lines_needed(const tsl_lines *lines, const char *word, tsl_span s, char **out) {
    if (s.len)
        return tsl_lines_text(lines, s, out);
    return TSL_REFUSE(lines, TSL_EINPUT, "'%s' has no value; add one or remove the line", word);
}

bool tsl_lines_hex(const tsl_lines *lines, const char *what, tsl_span s, size_t max,
                   uint8_t **bytes, size_t *len) {
    if (!tsl_span_is_hex(s) || s.len / 2 > max)
        return TSL_REFUSE(lines, TSL_EINPUT,
                          "%s '%s' is not pairs of hex digits (at most %zu bytes)", what,
                          tsl_quote(s).text, max);
    *len = s.len / 2;
    *bytes = tsl_alloc(*len);
    for (size_t i = 0; i < *len; i++)
        (*bytes)[i] = (uint8_t)(hex_digit(s.at[2 * i]) * 16 + hex_digit(s.at[2 * i + 1]));
    return true;
}

// ---------------------------------------------------------------- writing

void tsl_lines_put_head(tsl_buf *out, const tsl_format *format, const char *program,
                        const tsl_texts *args) {
    TSL_BUG_ON(!program || !*program, "%s without a program can't be written", format->what);
    tsl_buf_add(out, "%s %u\n", format->name, format->version);
    tsl_lines_put(out, "program", program);
    for (size_t i = 0; i < args->len; i++)
        tsl_lines_put(out, "arg", args->data[i]);
}

void tsl_lines_put_text(tsl_buf *out, const char *value) {
    size_t len = strlen(value);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)value[i];
        bool edge = i == 0 || i + 1 == len;
        if (c < 0x20 || c == 0x7f || c == '%' || (c == ' ' && edge))
            tsl_buf_add(out, "%%%02X", c);
        else
            tsl_buf_putc(out, (char)c);
    }
}

void tsl_lines_put(tsl_buf *out, const char *word, const char *value) {
    tsl_buf_add(out, "%s ", word);
    tsl_lines_put_text(out, value);
    tsl_buf_putc(out, '\n');
}

void tsl_lines_put_hex(tsl_buf *out, const uint8_t *bytes, size_t len) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        tsl_buf_putc(out, digits[bytes[i] >> 4]);
        tsl_buf_putc(out, digits[bytes[i] & 15]);
    }
}
