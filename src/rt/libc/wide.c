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

// The arguments up to the format.
#define GIVEN(...)                                                                                 \
    { __VA_ARGS__ }
#define ARGUMENTS(given) ((const uint64_t[TSL_CALL_ARGS])GIVEN given)
#define AND ,

#define PRINT_BODY(name, given, call, stored)                                                      \
    va_list args;                                                                                  \
    va_copy(args, list);                                                                           \
    narrow plain = narrowed(format);                                                               \
    formatted_begin(TSL_ROW_##name, ARGUMENTS(given), plain.text, args, site);                     \
    int n = call;                                                                                  \
    stored;                                                                                        \
    formatted_counts(plain.text, args, site);                                                      \
    tslrt_call_leaves(site);                                                                       \
    va_end(args);
#define PRINTS(name, parameters, given, call, stored)                                              \
    API int __teasel_v##name(parameters const wchar_t *format, va_list list) {                     \
        uint32_t site = tslrt_take_site();                                                         \
        PRINT_BODY(v##name, given, call, stored)                                                   \
        return n;                                                                                  \
    }                                                                                              \
    API int __teasel_##name(parameters const wchar_t *format, ...) {                               \
        uint32_t site = tslrt_take_site();                                                         \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        PRINT_BODY(name, given, call, stored)                                                      \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }

// If there was too little room, it is not known how much was written.
static void stored(wchar_t *to, size_t size, int n, uint32_t site) {
    if (n >= 0)
        tslrt_call_writes(to, ((size_t)n + 1) * sizeof *to, site);
    else
        tslrt_may_touch(to, size * sizeof *to);
}

PRINTS(wprintf, , ((uintptr_t)format), vwprintf(format, list), )
PRINTS(fwprintf, FILE *file AND, ((uintptr_t)file, (uintptr_t)format),
       vfwprintf(file, format, list), )
PRINTS(swprintf, wchar_t *to AND size_t size AND, ((uintptr_t)to, size, (uintptr_t)format),
       vswprintf(to, size, format, list), stored(to, size, n, site))

// ---------------------------------------------------------------- scanning

#define SCAN_BODY(name, given, call)                                                               \
    va_list args;                                                                                  \
    va_copy(args, list);                                                                           \
    narrow plain = narrowed(format);                                                               \
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;                                                          \
    tslrt_libc_begin(&tsl_libc_rows[TSL_ROW_##name], ARGUMENTS(given), site, true);                \
    int n = call;                                                                                  \
    formatted_stores(plain.text, args, n, NULL, site);                                             \
    tslrt_call_leaves(site);                                                                       \
    va_end(args);
#define SCANS(name, parameters, given, call)                                                       \
    API int __teasel_v##name(parameters const wchar_t *format, va_list list) {                     \
        uint32_t site = tslrt_take_site();                                                         \
        SCAN_BODY(v##name, given, call)                                                            \
        return n;                                                                                  \
    }                                                                                              \
    API int __teasel_##name(parameters const wchar_t *format, ...) {                               \
        uint32_t site = tslrt_take_site();                                                         \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        SCAN_BODY(name, given, call)                                                               \
        va_end(list);                                                                              \
        return n;                                                                                  \
    }

SCANS(wscanf, , ((uintptr_t)format), vwscanf(format, list))
SCANS(fwscanf, FILE *file AND, ((uintptr_t)file, (uintptr_t)format), vfwscanf(file, format, list))
SCANS(swscanf, const wchar_t *text AND, ((uintptr_t)text, (uintptr_t)format),
      vswscanf(text, format, list))
