// String and memory functions for instrumented code: the runtime records what they touch, and libc
// does the work.  Everything that a call reads is one step, and everything that it then writes
// another: other threads do not run between single bytes, but races are still seen.  What is
// written or returned depends on memory as it was in the step that read it.
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "../access.h"
#include "../quick.h"
#include "../sync/objects.h"
#include "follow.h"

// Arguments that depend on inputs are pinned, except those of `keep`.
#define FOLLOW(function, keep)                                                                     \
    uint32_t site = tslrt_take_site();                                                             \
    follow_args args = tslrt_follow_args((const void *)(function), keep, site);                    \
    (void)args

static void reads(const void *p, size_t n, uint32_t site) {
    if (n)
        __teasel_range_slow((void *)p, site, TSL_EV_READ, n);
}

static void writes(const void *p, size_t n, uint32_t site) {
    if (n)
        __teasel_range_slow((void *)p, site, TSL_EV_WRITE, n);
}

// The step that has just read something reads this, too.
static void also_reads_string(const char *s, size_t most, uint32_t site) {
    size_t n = strnlen(s, most);
    tslrt_call_follows(s, n < most ? n + 1 : n, site);
}

static void reads_both(const void *a, const void *b, size_t n, uint32_t site) {
    reads(a, n, site);
    tslrt_call_follows(b, n, site);
}

// The length of a string is taken only when its read was scheduled.
static size_t reads_string(const char *s, size_t most, uint32_t site) {
    tslrt_range_begin(TSL_EV_READ, s, site);
    size_t n = strnlen(s, most);
    tslrt_range_end(TSL_EV_READ, s, n < most ? n + 1 : n ? n : 1, site);
    return n;
}

// The same, and the length may depend on inputs.
static size_t measures(const char *s, size_t most, uint32_t site) {
    size_t n = reads_string(s, most, site);
    tslrt_follow_length(s, most, n, site);
    return n;
}

#define ANY ((size_t)-1 >> 1)

API size_t __teasel_strlen(const char *s) {
    FOLLOW(__teasel_strlen, 0);
    return measures(s, ANY, site);
}

API size_t __teasel_strnlen(const char *s, size_t most) {
    FOLLOW(__teasel_strnlen, 0);
    return most ? measures(s, most, site) : 0;
}

static void *copy(void *to, const void *from, size_t n, uint32_t site) {
    tslrt_store(to, from, n, n, site);
    return to;
}

API void *__teasel_memcpy(void *to, const void *from, size_t n) {
    FOLLOW(__teasel_memcpy, 0);
    reads(from, n, site);
    return copy(to, from, n, site);
}

API void *__teasel_memmove(void *to, const void *from, size_t n) {
    FOLLOW(__teasel_memmove, 0);
    reads(from, n, site);
    return copy(to, from, n, site);
}

API void *__teasel_memset(void *to, int c, size_t n) {
    FOLLOW(__teasel_memset, 2);
    writes(to, n, site);
    tslrt_symbols_fill(to, args.label[1], n);
    return memset(to, c, n);
}

API int __teasel_memcmp(const void *a, const void *b, size_t n) {
    FOLLOW(__teasel_memcmp, 0);
    reads_both(a, b, n, site);
    return tslrt_follow_compare((const void *)__teasel_memcmp, a, b, n, false, false, site);
}

API void *__teasel_memchr(const void *s, int c, size_t n) {
    FOLLOW(__teasel_memchr, 2);
    if (!n)
        return NULL;
    tslrt_range_begin(TSL_EV_READ, s, site);
    const char *found = memchr(s, c, n);
    tslrt_range_end(TSL_EV_READ, s, found ? (size_t)(found - (const char *)s) + 1 : n, site);
    tslrt_follow_find(s, n, args.label[1], c, false, false, site);
    return (void *)found;
}

API char *__teasel_strcpy(char *to, const char *from) {
    FOLLOW(__teasel_strcpy, 0);
    return copy(to, from, measures(from, ANY, site) + 1, site);
}

API char *__teasel_stpcpy(char *to, const char *from) {
    FOLLOW(__teasel_stpcpy, 0);
    size_t n = measures(from, ANY, site);
    return (char *)copy(to, from, n + 1, site) + n;
}

API char *__teasel_strncpy(char *to, const char *from, size_t most) {
    FOLLOW(__teasel_strncpy, 0);
    if (!most)
        return to;
    tslrt_store(to, from, measures(from, most, site), most, site);
    return to;
}

API char *__teasel_strncat(char *to, const char *from, size_t most) {
    FOLLOW(__teasel_strncat, 0);
    size_t at = measures(to, ANY, site);
    size_t n = most ? measures(from, most, site) : 0;
    tslrt_store(to + at, from, n, n + 1, site);
    return to;
}

API char *__teasel_strcat(char *to, const char *from) {
    FOLLOW(__teasel_strcat, 0);
    size_t at = measures(to, ANY, site);
    copy(to + at, from, measures(from, ANY, site) + 1, site);
    return to;
}

API char *__teasel_strdup(const char *s) {
    FOLLOW(__teasel_strdup, 0);
    size_t n = measures(s, ANY, site) + 1;
    TSL_HOT->call_site = site;
    char *p = malloc(n);
    if (p)
        tslrt_symbols_copy(p, s, n);
    return p ? memcpy(p, s, n) : NULL;
}

API char *__teasel_strndup(const char *s, size_t most) {
    FOLLOW(__teasel_strndup, 0);
    size_t n = most ? measures(s, most, site) : 0;
    TSL_HOT->call_site = site;
    char *p = malloc(n + 1);
    if (p) {
        tslrt_symbols_copy(p, s, n);
        memcpy(p, s, n);
        p[n] = 0;
    }
    return p;
}

API void *__teasel_memccpy(void *to, const void *from, int c, size_t n) {
    FOLLOW(__teasel_memccpy, 0);
    if (!n)
        return NULL;
    tslrt_range_begin(TSL_EV_READ, from, site);
    const char *found = memchr(from, c, n);
    size_t length = found ? (size_t)(found - (const char *)from) + 1 : n;
    tslrt_range_end(TSL_EV_READ, from, length, site);
    tslrt_follow_find(from, n, 0, c, false, false, site);
    tslrt_store(to, from, length, length, site);
    return found ? (char *)to + length : NULL;
}

// How many bytes a comparison looks at: up to and including the first difference or end.
static size_t compared(const char *a, const char *b, size_t most) {
    size_t n = 0;
    while (n < most && a[n] == b[n] && a[n])
        n++;
    return n < most ? n + 1 : n;
}

// The number of bytes is known only when the step that reads them was scheduled.
static void reads_compared(const char *a, const char *b, size_t most, uint32_t site) {
    if (!most)
        return;
    tslrt_range_begin(TSL_EV_READ, a, site);
    size_t n = compared(a, b, most);
    tslrt_range_end(TSL_EV_READ, a, n, site);
    tslrt_call_follows(b, n, site);
}

API int __teasel_strcmp(const char *a, const char *b) {
    FOLLOW(__teasel_strcmp, 0);
    reads_compared(a, b, ANY, site);
    return tslrt_follow_compare((const void *)__teasel_strcmp, a, b, ANY, true, false, site);
}

API int __teasel_strncmp(const char *a, const char *b, size_t most) {
    FOLLOW(__teasel_strncmp, 0);
    reads_compared(a, b, most, site);
    return tslrt_follow_compare((const void *)__teasel_strncmp, a, b, most, true, false, site);
}

API int __teasel_strcasecmp(const char *a, const char *b) {
    FOLLOW(__teasel_strcasecmp, 0);
    reads_string(a, ANY, site);
    also_reads_string(b, ANY, site);
    return tslrt_follow_compare((const void *)__teasel_strcasecmp, a, b, ANY, true, true, site);
}

API int __teasel_strncasecmp(const char *a, const char *b, size_t most) {
    FOLLOW(__teasel_strncasecmp, 0);
    if (most) {
        reads_string(a, most, site);
        also_reads_string(b, most, site);
    }
    return tslrt_follow_compare((const void *)__teasel_strncasecmp, a, b, most, true, true, site);
}

#define SEARCH(name, last)                                                                         \
    API char *__teasel_##name(const char *s, int what) {                                           \
        FOLLOW(__teasel_##name, 2);                                                                \
        reads_string(s, ANY, site);                                                                \
        tslrt_follow_find(s, ANY, args.label[1], what, true, last, site);                          \
        return name(s, what);                                                                      \
    }

SEARCH(strchr, false)
SEARCH(strrchr, true)

// Searches for characters of a set, and for a whole string.
#define SEARCH_STRING(result, name, follow)                                                        \
    API result __teasel_##name(const char *s, const char *what) {                                  \
        FOLLOW(__teasel_##name, 0);                                                                \
        reads_string(s, ANY, site);                                                                \
        also_reads_string(what, ANY, site);                                                        \
        tslrt_follow_length(what, ANY, strlen(what), site);                                        \
        follow;                                                                                    \
        return name(s, what);                                                                      \
    }

SEARCH_STRING(char *, strstr, tslrt_follow_strstr(s, what, site))
SEARCH_STRING(size_t, strspn, tslrt_follow_span(s, what, true, site))
SEARCH_STRING(size_t, strcspn, tslrt_follow_span(s, what, false, site))
SEARCH_STRING(char *, strpbrk, tslrt_follow_span(s, what, false, site))

// ---------------------------------------------------------------- numbers

// One step, because `end` is stored together with what is returned.
#define NUMBER(type, name)                                                                         \
    API type __teasel_##name(const char *s, char **end, int base) {                                \
        FOLLOW(__teasel_##name, 0);                                                                \
        reads_string(s, ANY, site);                                                                \
        if (end)                                                                                   \
            tslrt_call_writes(end, sizeof *end, site);                                             \
        type value = name(s, end, base);                                                           \
        tslrt_follow_number((const void *)__teasel_##name, s, base, 64, (uint64_t)value, site);    \
        return value;                                                                              \
    }

NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)

#define DECIMAL(type, name)                                                                        \
    API type __teasel_##name(const char *s) {                                                      \
        FOLLOW(__teasel_##name, 0);                                                                \
        reads_string(s, ANY, site);                                                                \
        type value = (type)strtoll(s, NULL, 10);                                                   \
        tslrt_follow_number((const void *)__teasel_##name, s, 10, 8 * sizeof value,                \
                            (uint64_t)value, site);                                                \
        return value;                                                                              \
    }

DECIMAL(int, atoi)
DECIMAL(long, atol)
DECIMAL(long long, atoll)

// ---------------------------------------------------------------- sorting

// Accesses to elements are recorded as they are compared and moved; other threads may run at a
// comparison.  As in glibc, this is a merge sort with a buffer on the heap, and stable.
typedef struct order {
    int (*compare)(const void *, const void *);
    int (*compare_with)(const void *, const void *, void *); // if `compare` is NULL; gets `arg`
    void *arg;
    uint32_t site;
} order;

static const void *compared_by(const order *by) {
    return by->compare ? (const void *)by->compare : (const void *)by->compare_with;
}

static bool in_order(const order *by, const char *a, const char *b) {
    int result = by->compare ? by->compare(a, b) : by->compare_with(a, b, by->arg);
    tslrt_follow_order(compared_by(by), result, false, by->site);
    return result <= 0;
}

static void merge_sort(char *base, char *spare, size_t n, size_t size, const order *by) {
    uint32_t site = by->site;
    if (n < 2)
        return;
    size_t half = n / 2;
    merge_sort(base, spare, half, size, by);
    merge_sort(base + half * size, spare, n - half, size, by);
    size_t i = 0, j = half;
    for (size_t k = 0; k < n; k++) {
        bool left = j == n || (i < half && in_order(by, base + i * size, base + j * size));
        size_t from = left ? i++ : j++;
        reads(base + from * size, size, site);
        tslrt_symbols_copy(spare + k * size, base + from * size, size);
        memcpy(spare + k * size, base + from * size, size);
    }
    writes(base, n * size, site);
    tslrt_symbols_copy(base, spare, n * size);
    memcpy(base, spare, n * size);
}

static void sort(void *base, size_t n, size_t size, const order *by) {
    if (n < 2 || size == 0)
        return;
    tslrt_foreign_back(compared_by(by), by->site);
    char *spare = malloc(n * size);
    merge_sort(base, spare, n, size, by);
    free(spare);
}

API void __teasel_qsort(void *base, size_t n, size_t size,
                        int (*compare)(const void *, const void *)) {
    FOLLOW(__teasel_qsort, 0);
    sort(base, n, size, &(order){.compare = compare, .site = site});
}

API void __teasel_qsort_r(void *base, size_t n, size_t size,
                          int (*compare)(const void *, const void *, void *), void *arg) {
    FOLLOW(__teasel_qsort_r, 0);
    sort(base, n, size, &(order){.compare_with = compare, .arg = arg, .site = site});
}

API void *__teasel_bsearch(const void *key, const void *base, size_t n, size_t size,
                           int (*compare)(const void *, const void *)) {
    FOLLOW(__teasel_bsearch, 0);
    size_t low = 0, high = n;
    tslrt_foreign_back((const void *)compare, site);
    while (low < high) {
        size_t mid = (low + high) / 2;
        const char *at = (const char *)base + mid * size;
        int order = compare(key, at);
        tslrt_follow_order((const void *)compare, order, true, site);
        if (order == 0)
            return (void *)at;
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

// ---------------------------------------------------------------- classes of characters

#define CLASS(name, bit)                                                                           \
    API int __teasel_##name(int c) {                                                               \
        FOLLOW(__teasel_##name, 1);                                                                \
        int answer = (*__ctype_b_loc())[c] & (unsigned short)(bit);                                \
        tslrt_follow_class((const void *)__teasel_##name, args.label[0], *__ctype_b_loc() - 128,   \
                           2, (unsigned short)(bit), answer);                                      \
        return answer;                                                                             \
    }

CLASS(isalnum, _ISalnum)
CLASS(isalpha, _ISalpha)
CLASS(isblank, _ISblank)
CLASS(iscntrl, _IScntrl)
CLASS(isdigit, _ISdigit)
CLASS(isgraph, _ISgraph)
CLASS(islower, _ISlower)
CLASS(isprint, _ISprint)
CLASS(ispunct, _ISpunct)
CLASS(isspace, _ISspace)
CLASS(isupper, _ISupper)
CLASS(isxdigit, _ISxdigit)

#define CASE(name)                                                                                 \
    API int __teasel_##name(int c) {                                                               \
        FOLLOW(__teasel_##name, 1);                                                                \
        if (c < -128 || c > 255)                                                                   \
            return c;                                                                              \
        int answer = (*__ctype_##name##_loc())[c];                                                 \
        tslrt_follow_class((const void *)__teasel_##name, args.label[0],                           \
                           *__ctype_##name##_loc() - 128, 4, 0, answer);                           \
        return answer;                                                                             \
    }

CASE(tolower)
CASE(toupper)
