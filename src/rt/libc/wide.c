// Formatted input and output of wide characters, for instrumented code: libc does the work; the
// memory that a format refers to is told as for printf and scanf.
//
// Directives consist of plain characters, so each character of the format is first cut to one byte.
#include <wchar.h>

#include "../quick.h"
#include "../sync/objects.h"
#include "formatted.h"

typedef struct narrow {
    char text[1024];
} narrow;

static narrow narrowed(const wchar_t *format) {
    narrow out;
    size_t n = 0;
    for (; format[n] && n + 1 < sizeof out.text; n++)
        out.text[n] = format[n] < 128 ? (char)format[n] : 'x';
    out.text[n] = 0;
    if (format[n])
        tslrt_weaken(TSL_REASON_UNKNOWN_CALL, "a format of wide characters is too long to be read");
    return out;
}

// ---------------------------------------------------------------- printing

#define PRINT(name, given, call)                                                                   \
    va_list args;                                                                                  \
    va_copy(args, list);                                                                           \
    narrow plain = narrowed(format);                                                               \
    formatted_begin(TSL_ROW_##name, ARGUMENTS(given), plain.text, args, site);                     \
    int n = call;                                                                                  \
    formatted_counts(plain.text, args, site);                                                      \
    tslrt_call_leaves(site);                                                                       \
    va_end(args)

// If there was too little room, it is not known how much was written.
static int stored(wchar_t *to, size_t size, int n, uint32_t site) {
    if (n >= 0)
        tslrt_call_writes(to, ((size_t)n + 1) * sizeof *to, site);
    else
        tslrt_may_touch(to, size * sizeof *to);
    return n;
}

FORMATTED(PRINT, wchar_t, wprintf, , ((uintptr_t)format), vwprintf(format, list))
FORMATTED(PRINT, wchar_t, fwprintf, FILE *file AND, ((uintptr_t)file, (uintptr_t)format),
          vfwprintf(file, format, list))
FORMATTED(PRINT, wchar_t, swprintf, wchar_t *to AND size_t size AND,
          ((uintptr_t)to, size, (uintptr_t)format),
          stored(to, size, vswprintf(to, size, format, list), site))

// ---------------------------------------------------------------- scanning

#define SCAN(name, given, call)                                                                    \
    va_list args;                                                                                  \
    va_copy(args, list);                                                                           \
    narrow plain = narrowed(format);                                                               \
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;                                                          \
    tslrt_libc_begin(&tsl_libc_rows[TSL_ROW_##name], ARGUMENTS(given), site, true);                \
    int n = call;                                                                                  \
    formatted_stores(plain.text, args, n, NULL, site);                                             \
    tslrt_call_leaves(site);                                                                       \
    va_end(args)

FORMATTED(SCAN, wchar_t, wscanf, , ((uintptr_t)format), vwscanf(format, list))
FORMATTED(SCAN, wchar_t, fwscanf, FILE *file AND, ((uintptr_t)file, (uintptr_t)format),
          vfwscanf(file, format, list))
FORMATTED(SCAN, wchar_t, swscanf, const wchar_t *text AND, ((uintptr_t)text, (uintptr_t)format),
          vswscanf(text, format, list))
