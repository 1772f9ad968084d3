// Printing, for instrumented code: libc prints; the call reads the strings that its format names.
//
// A call is one step if it uses something that another thread could see or change: a string that is
// not a constant, or a stream other than standard output.  What goes to standard output is never
// read again, so its order does not matter.
#include <string.h>
#include <unistd.h>

#include "../quick.h"
#include "../sync/objects.h"
#include "formatted.h"

// Writing to a pipe or socket is a step of its own, which may wait.
static int print_to(int fd, const char *format, va_list list) {
    char *text;
    if (!io_is_channel(fd))
        return vdprintf(fd, format, list);
    int n = vasprintf(&text, format, list);
    ssize_t got = 0;
    for (int at = 0; at < n && got >= 0; at += (int)got) {
        TSL_HOT->call_site = SELF->pend.site;
        got = write(fd, text + at, (size_t)(n - at));
    }
    if (n >= 0)
        free(text);
    return got < 0 ? -1 : n;
}

#define PRINT(name, given, call)                                                                   \
    va_list args;                                                                                  \
    va_copy(args, list);                                                                           \
    formatted_begin(TSL_ROW_##name, ARGUMENTS(given), format, args, site);                         \
    int n = call;                                                                                  \
    formatted_counts(format, args, site);                                                          \
    tslrt_call_leaves(site);                                                                       \
    va_end(args)

FORMATTED(PRINT, char, printf, , ((uintptr_t)format), vprintf(format, list))
FORMATTED(PRINT, char, fprintf, FILE *file AND, ((uintptr_t)file, (uintptr_t)format),
          vfprintf(file, format, list))
FORMATTED(PRINT, char, dprintf, int fd AND, ((uint64_t)fd, (uintptr_t)format),
          print_to(fd, format, list))

// ---------------------------------------------------------------- into new memory

static int print_new(char **to, const char *format, va_list list, uint32_t site) {
    va_list args;
    TSL_HOT->opaque |= TSL_EXTERN_OPAQUE;
    tslrt_call_step(site);
    va_copy(args, list);
    tslrt_call_reads(format, strlen(format) + 1, site);
    formatted_reads(format, args, tslrt_call_reads, site);
    TSL_HOT->call_site = site;
    int n = vasprintf(to, format, list);
    if (n >= 0)
        tslrt_call_writes(to, sizeof *to, site);
    formatted_counts(format, args, site);
    va_end(args);
    return n;
}

#define PRINT_NEW(name, given, call) int n = call

FORMATTED(PRINT_NEW, char, asprintf, char **to AND, (), print_new(to, format, list, site))
