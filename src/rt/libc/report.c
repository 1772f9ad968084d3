// Messages of err.h, error.h and syslog.h, for instrumented code.
//
// libc prints them; the call reads the strings that its format names.  Functions that end the
// process call the runtime's exit, so that handlers run and the run ends properly.
#include <err.h>
#include <error.h>
#include <string.h>
#include <syslog.h>

#include "../quick.h"
#include "../sync/objects.h"
#include "formatted.h"

// The functions print errno, so nothing may change it before.
static void begin(enum tsl_libc_row row, const uint64_t *args, const char *format, va_list list,
                  uint32_t site) {
    int error = errno;
    if (!format)
        return;
    formatted_begin(row, args, format, list, site);
    if ((row == TSL_ROW_syslog || row == TSL_ROW_vsyslog) && RUN->libc.kept.log_name)
        tslrt_call_sends(RUN->libc.kept.log_name, strlen(RUN->libc.kept.log_name) + 1, site);
    errno = error;
}

#define REPORTS(name, parameters, given, call)                                                     \
    API void __teasel_v##name(parameters const char *format, va_list list) {                       \
        uint32_t site = tslrt_take_site();                                                         \
        begin(TSL_ROW_v##name, ARGUMENTS(given), format, list, site);                              \
        call;                                                                                      \
    }                                                                                              \
    API void __teasel_##name(parameters const char *format, ...) {                                 \
        uint32_t site = tslrt_take_site();                                                         \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        begin(TSL_ROW_##name, ARGUMENTS(given), format, list, site);                               \
        call;                                                                                      \
        va_end(list);                                                                              \
    }

REPORTS(warn, , ((uintptr_t)format), vwarn(format, list))
REPORTS(warnx, , ((uintptr_t)format), vwarnx(format, list))
REPORTS(err, int status AND, (0, (uintptr_t)format), (vwarn(format, list), exit(status)))
REPORTS(errx, int status AND, (0, (uintptr_t)format), (vwarnx(format, list), exit(status)))
REPORTS(syslog, int priority AND, (0, (uintptr_t)format), vsyslog(priority, format, list))

// The message is formatted here, because libc has no form with a va_list.
#define ERROR_BODY(row, given, call)                                                               \
    uint32_t site = tslrt_take_site();                                                             \
    char text[1024];                                                                               \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    begin(row, ARGUMENTS(given), format, list, site);                                              \
    vsnprintf(text, sizeof text, format, list);                                                    \
    va_end(list);                                                                                  \
    call;                                                                                          \
    if (status)                                                                                    \
        exit(status);

API void __teasel_error(int status, int number, const char *format, ...){
    ERROR_BODY(TSL_ROW_error, (0, 0, (uintptr_t)format), error(0, number, "%s", text))}

API void __teasel_error_at_line(int status, int number, const char *file, unsigned line,
                                const char *format, ...) {
    ERROR_BODY(TSL_ROW_error_at_line, (0, 0, (uintptr_t)file, 0, (uintptr_t)format),
               error_at_line(0, number, file, line, "%s", text))
}
