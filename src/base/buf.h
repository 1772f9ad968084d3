// A string that is built piece by piece.
//
// All zero is empty.  Once something was added, data[len] is 0.
#ifndef TSL_BASE_BUF_H
#define TSL_BASE_BUF_H

#include <stddef.h>

typedef struct tsl_buf {
    char *data;
    size_t len, cap;
} tsl_buf;

void tsl_buf_add(tsl_buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tsl_buf_puts(tsl_buf *buf, const char *text);
void tsl_buf_putc(tsl_buf *buf, char c);
void tsl_buf_bytes(tsl_buf *buf, const void *bytes, size_t len);
void tsl_buf_pad(tsl_buf *buf, size_t count); // adds so many blanks
void tsl_buf_clear(tsl_buf *buf);             // keeps the memory
void tsl_buf_drop(tsl_buf *buf);

// The text so far, never NULL; valid until the next change.
const char *tsl_buf_text(const tsl_buf *buf);

// Hands the text over to the caller, who frees it with tsl_free; the buffer is empty then.
char *tsl_buf_take(tsl_buf *buf);

#endif
