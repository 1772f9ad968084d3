// Text files with a word and its value on each line: the common part of replay.h and paths.h.
//
// Blanks around a line mean nothing, blank lines and lines that start with # are skipped, and the
// first line names the format and its version.  In a value, %HH stands for the byte HH; it is used
// for control characters, for % itself and for blanks at either end.
//
// The files come from outside: anything malformed is refused, with a message that says where, what,
// and what to do about it.
#ifndef TSL_TRACE_LINES_H
#define TSL_TRACE_LINES_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

// A piece of the text; not zero-terminated.
typedef struct tsl_span {
    const char *at;
    size_t len;
} tsl_span;

typedef struct tsl_lines {
    const char *name; // of the file, for messages
    const char *at, *end;
    size_t line; // number of the line being read, from 1
    tsl_err *err;
} tsl_lines;

// Cuts the first word off, and returns it.
tsl_span tsl_span_word(tsl_span *s);
bool tsl_span_is(tsl_span s, const char *text);

// Outside text for a message: shortened, and without control characters for a terminal.
typedef struct tsl_quoted {
    char text[48];
} tsl_quoted;
tsl_quoted tsl_quote(tsl_span s);

// `return TSL_REFUSE(...)` returns false, with file and line in front of the message.
#define TSL_REFUSE(lines, code, fmt, ...)                                                          \
    tsl_fail((lines)->err, code, "%s:%zu: " fmt, (lines)->name, (lines)->line, __VA_ARGS__)

// The next line that is not skipped, without blanks around it; false at the end of the text.
bool tsl_lines_next(tsl_lines *lines, tsl_span *line);

// The first line of the file: `word N`.  `what` names the format ("a replay file"); `advice` says
// what to do about another version.
bool tsl_lines_version(tsl_lines *lines, const char *word, unsigned version, const char *what,
                       const char *advice);

bool tsl_lines_number(const tsl_lines *lines, const char *what, tsl_span s, uint64_t min,
                      uint64_t max, uint64_t *out);
// A value, with each %HH replaced by its byte; the caller frees it with tsl_free.
bool tsl_lines_text(const tsl_lines *lines, tsl_span s, char **out);
// The same for a word that may not be empty.
bool tsl_lines_needed(const tsl_lines *lines, const char *word, tsl_span s, char **out);
// 1 to `max` bytes as pairs of hex digits; the caller frees them with tsl_free.
bool tsl_lines_hex(const tsl_lines *lines, const char *what, tsl_span s, size_t max,
                   uint8_t **bytes, size_t *len);
bool tsl_span_is_hex(tsl_span s);

// Write `word value`, and the parts of such a line.
void tsl_lines_put(tsl_buf *out, const char *word, const char *value);
void tsl_lines_put_text(tsl_buf *out, const char *value);
void tsl_lines_put_hex(tsl_buf *out, const uint8_t *bytes, size_t len);

#endif
