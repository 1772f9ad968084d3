// A string that is built piece by piece.
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"

static void room(tsl_buf *buf, size_t more) {
    buf->data = tsl_vec_grow(buf->data, &buf->cap, buf->len + more + 1, 1);
}

enum { SHORT = 100 };

void tsl_buf_add(tsl_buf *buf, const char *fmt, ...) {
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    room(buf, SHORT); // enough for most texts
    int n = vsnprintf(buf->data + buf->len, SHORT + 1, fmt, ap);
    va_end(ap);
    TSL_BUG_ON(n < 0, "format can't be printed: %s", fmt);
    if (n > SHORT) {
        room(buf, (size_t)n);
        vsnprintf(buf->data + buf->len, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    buf->len += (size_t)n;
}

void tsl_buf_bytes(tsl_buf *buf, const void *bytes, size_t len) {
    room(buf, len);
    if (len)
        memcpy(buf->data + buf->len, bytes, len);
    buf->len += len;
    buf->data[buf->len] = 0;
}

void tsl_buf_puts(tsl_buf *buf, const char *text) { tsl_buf_bytes(buf, text, strlen(text)); }

void tsl_buf_putc(tsl_buf *buf, char c) { tsl_buf_bytes(buf, &c, 1); }

void tsl_buf_pad(tsl_buf *buf, size_t count) {
    room(buf, count);
    memset(buf->data + buf->len, ' ', count);
    buf->len += count;
    buf->data[buf->len] = 0;
}

void tsl_buf_clear(tsl_buf *buf) {
    buf->len = 0;
    if (buf->data)
        buf->data[0] = 0;
}

void tsl_buf_drop(tsl_buf *buf) {
    tsl_free(buf->data);
    *buf = (tsl_buf){0};
}

const char *tsl_buf_text(const tsl_buf *buf) { return buf->data ? buf->data : ""; }

char *tsl_buf_take(tsl_buf *buf) {
    char *text = buf->data ? buf->data : tsl_strdup("");
    *buf = (tsl_buf){0};
    return text;
}
