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
#include "base/vec.h"

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
    uint32_t seen; // a bit for each word of the format
    bool ended;    // the line `end` was read
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

bool tsl_lines_number(const tsl_lines *lines, const char *what, tsl_span s, uint64_t min,
                      uint64_t max, uint64_t *out);
// The same for a number of 32 bits.
bool tsl_lines_u32(const tsl_lines *lines, const char *what, tsl_span s, uint32_t min, uint32_t max,
                   uint32_t *out);
// A value, with each %HH replaced by its byte; the caller frees it with tsl_free.
bool tsl_lines_text(const tsl_lines *lines, tsl_span s, char **out);
// The same for a word that may not be empty.
bool tsl_lines_needed(const tsl_lines *lines, const char *word, tsl_span s, char **out);
// 1 to `max` bytes as pairs of hex digits; the caller frees them with tsl_free.
bool tsl_lines_hex(const tsl_lines *lines, const char *what, tsl_span s, size_t max,
                   uint8_t **bytes, size_t *len);
bool tsl_span_is_hex(tsl_span s);

// ---------------------------------------------------------------- formats

enum tsl_word_kind {
    TSL_WORD_PARSED, // by a function
    TSL_WORD_TEXT,   // a char *
    TSL_WORD_NEEDED, // the same, not empty
    TSL_WORD_LIST,   // a tsl_texts; the word may be repeated
    TSL_WORD_NUMBER  // a uint64_t from `min` to `max`
};

// A word of a format, and how its value gets into the struct that is filled.
typedef struct tsl_word {
    const char *word;
    enum tsl_word_kind kind;
    size_t at; // of the field; unless the value is PARSED
    uint64_t min, max;
    bool (*parse)(const tsl_lines *lines, void *to, tsl_span value);
    bool again; // the word may be repeated
} tsl_word;

// The first word must stand in every file.
typedef struct tsl_format {
    const char *name; // the first line is this and the version
    unsigned version;
    const char *what;   // "a replay file"
    const char *advice; // what to do about another version
    size_t most;        // bytes of the largest file
    const tsl_word *words;
    size_t nwords;                                    // at most 32
    bool (*at_end)(const tsl_lines *lines, void *to); // called at the line `end`, or NULL
} tsl_format;

// Fills `to`, which the caller empties before, and after a failure.  `name` is only for messages.
bool tsl_lines_parse(const tsl_format *format, const char *name, const char *text, size_t len,
                     void *to, tsl_err *err);
bool tsl_lines_read(const tsl_format *format, const char *path, void *to, tsl_err *err);

// ---------------------------------------------------------------- writing

// The lines that both formats begin with.
void tsl_lines_put_head(tsl_buf *out, const tsl_format *format, const char *program,
                        const tsl_texts *args);
// Write `word value`, and the parts of such a line.
void tsl_lines_put(tsl_buf *out, const char *word, const char *value);
void tsl_lines_put_text(tsl_buf *out, const char *value);
void tsl_lines_put_hex(tsl_buf *out, const uint8_t *bytes, size_t len);

#endif
