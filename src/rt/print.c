// Formatting without stdio: the runtime may run where libc must not be entered.
// Knows %s %c %d %u %x %lu %lx %p and %%.
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>

#include "print.h"
#include "sys.h"

typedef struct out {
    char *to;
    size_t size, len;
} out;

static void put(out *o, char c) {
    if (o->len + 1 < o->size)
        o->to[o->len] = c;
    o->len++;
}

static void put_number(out *o, unsigned long value, unsigned base) {
    char digits[24];
    int n = 0;
    do
        digits[n++] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    while (n > 0)
        put(o, digits[--n]);
}

static void put_signed(out *o, long value) {
    if (value < 0)
        put(o, '-');
    put_number(o, value < 0 ? 0ul - (unsigned long)value : (unsigned long)value, 10);
}

static void put_string(out *o, const char *s) {
    for (s = s ? s : "(null)"; *s; s++)
        put(o, *s);
}

int tslrt_vformat(char *to, size_t size, const char *fmt, va_list args) {
    out o = {to, size, 0};
    for (; *fmt; fmt++) {
        if (*fmt != '%') {
            put(&o, *fmt);
            continue;
        }
        bool is_long = *++fmt == 'l';
        if (is_long)
            fmt++;
        switch (*fmt) {
        case 's':
            put_string(&o, va_arg(args, const char *));
            break;
        case 'c':
            put(&o, (char)va_arg(args, int));
            break;
        case 'd':
            put_signed(&o, is_long ? va_arg(args, long) : va_arg(args, int));
            break;
        case 'u':
        case 'x':
            put_number(&o, is_long ? va_arg(args, unsigned long) : va_arg(args, unsigned),
                       *fmt == 'u' ? 10 : 16);
            break;
        case 'p':
            put_string(&o, "0x");
            put_number(&o, (unsigned long)va_arg(args, void *), 16);
            break;
        default:
            put(&o, *fmt);
            break;
        }
    }
    if (size)
        to[o.len < size ? o.len : size - 1] = 0;
    return (int)o.len;
}

int tslrt_format(char *to, size_t size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    int n = tslrt_vformat(to, size, fmt, args);
    va_end(args);
    return n;
}

size_t tslrt_read_text(const char *path, char *text, size_t size) {
    long fd = tslrt_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    size_t n = 0;
    for (long got = 1; fd >= 0 && got > 0 && n<size - 1; n += got> 0 ? (size_t)got : 0)
        got = tslrt_sys3(SYS_read, fd, text + n, size - 1 - n);
    if (fd >= 0)
        tslrt_sys1(SYS_close, fd);
    text[n] = 0;
    return n;
}
