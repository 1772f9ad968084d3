// Text files with a word and its value on each line; see lines.h.
#include "trace/lines.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
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

bool tsl_lines_next(tsl_lines *lines, tsl_span *line) {
    while (next(lines, line))
        if (line->len && line->at[0] != '#')
            return true;
    return false;
}

bool tsl_lines_version(tsl_lines *lines, const char *word, unsigned version, const char *what,
                       const char *advice) {
    tsl_span value;
    uint64_t number = 0;
    if (!next(lines, &value))
        return TSL_REFUSE(lines, TSL_EINPUT, "the file is empty; this is not %s", what);
    if (!tsl_span_is(tsl_span_word(&value), word))
        return TSL_REFUSE(lines, TSL_EINPUT, "this is not %s; its first line must be '%s %u'", what,
                          word, version);
    if (tsl_num_u64(value.at, value.len, &number) != TSL_NUM_OK || number != version)
        return TSL_REFUSE(lines, TSL_EVERSION,
                          "version '%s' of the format is not known, only %u is; %s",
                          tsl_quote(value).text, version, advice);
    return true;
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
