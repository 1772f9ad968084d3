// Functions that follow pointers in memory of their arguments: no row of abi/libc.def can say that.
//
// Each call is one step.  libc does the work; how those pointers have changed tells how far it
// went.
#include <getopt.h>
#include <iconv.h>
#include <search.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "../quick.h"
#include "../sync/objects.h"
#include "ranges.h"

static uint32_t begin(enum tsl_libc_row row, const uint64_t *args) {
    uint32_t site = tslrt_enter(TSL_EXTERN_OPAQUE);
    tslrt_libc_begin(&tsl_libc_rows[row], args, site, true);
    return site;
}

// The part that is cut off the text is overwritten at its end.
API int __teasel_getsubopt(char **text, char *const *tokens, char **value) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)text, (uintptr_t)tokens, (uintptr_t)value};
    uint32_t site = begin(TSL_ROW_getsubopt, given);
    char *first = *text;
    tslrt_call_follows(first, strlen(first) + 1, site);
    tslrt_symbols_read("getsubopt", first, strlen(first) + 1);
    for (char *const *t = tokens; *t; t++)
        tslrt_call_reads(*t, strlen(*t) + 1, site);
    int result = getsubopt(text, tokens, value);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_getsubopt], given, 0, site);
    tslrt_call_writes(first, (size_t)(*text - first), site);
    return result;
}

static char *pointer_at(char **p) { return p ? *p : NULL; }

API size_t __teasel_iconv(iconv_t cd, char **in, size_t *nin, char **out, size_t *nout) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)cd, (uintptr_t)in, (uintptr_t)nin,
                                           (uintptr_t)out, (uintptr_t)nout};
    uint32_t site = begin(TSL_ROW_iconv, given);
    char *from = pointer_at(in), *to = pointer_at(out);
    tslrt_call_reads(from, nin ? *nin : 0, site);
    size_t result = iconv(cd, in, nin, out, nout);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_iconv], given, result, site);
    tslrt_call_writes(to, (size_t)(pointer_at(out) - to), site);
    return result;
}

// ---------------------------------------------------------------- queues

typedef struct link {
    struct link *next, *last;
} link;

API void __teasel_insque(void *p, void *after) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)p, (uintptr_t)after};
    uint32_t site = begin(TSL_ROW_insque, given);
    link *next = after ? ((link *)after)->next : NULL;
    insque(p, after);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_insque], given, 0, site);
    if (next)
        tslrt_call_writes(&next->last, sizeof next->last, site);
}

API void __teasel_remque(void *p) {
    const uint64_t given[TSL_CALL_ARGS] = {(uintptr_t)p};
    uint32_t site = begin(TSL_ROW_remque, given);
    link *next = ((link *)p)->next, *last = ((link *)p)->last;
    remque(p);
    if (next)
        tslrt_call_writes(&next->last, sizeof next->last, site);
    if (last)
        tslrt_call_writes(&last->next, sizeof last->next, site);
}

// ---------------------------------------------------------------- options

// The option whose flag was stored.  One of the last two words is its name, or the beginning of
// that.
static const struct option *named_option(char *const *words, int next, const struct option *all,
                                         int value) {
    const struct option *found = NULL;
    for (int i = 1; i <= 2 && next > i; i++) { // the last word may be its argument
        const char *word = words[next - i] + strspn(words[next - i], "-");
        size_t n = strcspn(word, "=");
        for (const struct option *o = all; o && n && o->name; o++)
            if (o->flag && *o->flag == o->val && !strncmp(o->name, word, n) &&
                (!found || strlen(o->name) == n))
                found = o;
    }
    return value == 0 ? found : NULL;
}

// The call looks at words from where the last call has ended.
static void read_words(int n, char *const *words, uint32_t site) {
    for (int i = optind > 0 ? optind : 1; i < n; i++)
        if (words[i]) {
            tslrt_call_follows(words[i], strlen(words[i]) + 1, site);
            tslrt_symbols_read("getopt", words[i], strlen(words[i]) + 1);
        }
}

static void read_names(const struct option *all, uint32_t site) {
    for (const struct option *o = all; o && o->name; o++)
        tslrt_call_reads(o->name, strlen(o->name) + 1, site);
}

API int __teasel_getopt(int n, char *const *words, const char *letters) {
    const uint64_t given[TSL_CALL_ARGS] = {(uint64_t)n, (uintptr_t)words, (uintptr_t)letters};
    uint32_t site = begin(TSL_ROW_getopt, given);
    read_words(n, words, site);
    int result = getopt(n, words, letters);
    tslrt_libc_end(&tsl_libc_rows[TSL_ROW_getopt], given, (uint64_t)result, site);
    tslrt_call_looks_at_environment(); // POSIXLY_CORRECT
    return result;
}

#define GETOPT(name)                                                                               \
    API int __teasel_##name(int n, char *const *words, const char *letters,                        \
                            const struct option *all, int *which) {                                \
        const uint64_t given[TSL_CALL_ARGS] = {(uint64_t)n, (uintptr_t)words, (uintptr_t)letters,  \
                                               (uintptr_t)all, (uintptr_t)which};                  \
        uint32_t site = begin(TSL_ROW_##name, given);                                              \
        read_words(n, words, site);                                                                \
        read_names(all, site);                                                                     \
        int result = name(n, words, letters, all, which);                                          \
        tslrt_libc_end(&tsl_libc_rows[TSL_ROW_##name], given, (uint64_t)result, site);             \
        const struct option *o = named_option(words, optind, all, result);                         \
        if (o)                                                                                     \
            tslrt_call_writes(o->flag, sizeof *o->flag, site);                                     \
        tslrt_call_looks_at_environment();                                                         \
        return result;                                                                             \
    }

GETOPT(getopt_long)
GETOPT(getopt_long_only)

// ---------------------------------------------------------------- devices

// What a request does with the memory behind its argument.
typedef struct moved {
    uint64_t size;
    bool stores, known;
} moved;

static moved moved_by(unsigned long request) {
    switch (request) {
    case FIONREAD:
    case TIOCOUTQ:
    case TIOCGPGRP:
        return (moved){sizeof(int), true, true};
    case FIONBIO:
    case FIOASYNC:
        return (moved){sizeof(int), false, true};
    case TIOCGWINSZ:
        return (moved){sizeof(struct winsize), true, true};
    case FIOCLEX:
    case FIONCLEX:
        return (moved){0, false, true};
    default: // newer numbers contain this; many others are unknown
        return (moved){_IOC_SIZE(request), _IOC_DIR(request) == _IOC_READ,
                       _IOC_DIR(request) == _IOC_READ || _IOC_DIR(request) == _IOC_WRITE};
    }
}

API int __teasel_ioctl(int fd, unsigned long request, ...) {
    enum { LEAST = 4096, CLOSE = 64 };
    va_list list;
    va_start(list, request);
    void *p = va_arg(list, void *);
    va_end(list);
    const uint64_t given[TSL_CALL_ARGS] = {(uint64_t)fd, request, (uintptr_t)p};
    moved m = moved_by(request);
    uint32_t site = begin(TSL_ROW_ioctl, given);
    if (m.known && !m.stores)
        tslrt_call_reads(p, m.size, site);
    else if (!m.known && (uintptr_t)p >= LEAST)
        tslrt_may_touch(p, CLOSE);
    int result = ioctl(fd, request, p);
    if (m.known && m.stores && result >= 0)
        tslrt_call_writes(p, m.size, site);
    return result;
}
