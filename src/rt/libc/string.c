// String and memory functions for instrumented code: what they touch is announced,
// then libc does the work.  Each is one access per range, not one per byte: the
// bytes of one call are not interleaved with other threads, and a racing call is
// still seen as racing.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../sync/objects.h"

#define SITE uint32_t site = tslrt_take_site()

static void reads(const void *p, size_t n, uint32_t site) {
    if (n) {
        tslrt_range_begin(TSL_EV_READ, p, site);
        tslrt_range_end(TSL_EV_READ, p, n, site);
    }
}

static void writes(const void *p, size_t n, uint32_t site) {
    if (n) {
        tslrt_range_begin(TSL_EV_WRITE, p, site);
        tslrt_range_end(TSL_EV_WRITE, p, n, site);
    }
}

// A string's length counts only once its reading was scheduled.
static size_t reads_string(const char *s, size_t most, uint32_t site) {
    tslrt_range_begin(TSL_EV_READ, s, site);
    size_t n = strnlen(s, most);
    tslrt_range_end(TSL_EV_READ, s, n < most ? n + 1 : n ? n : 1, site);
    return n;
}

#define ANY ((size_t)-1 >> 1)

API size_t __teasel_strlen(const char *s) {
    SITE;
    return reads_string(s, ANY, site);
}

API size_t __teasel_strnlen(const char *s, size_t most) {
    SITE;
    return most ? reads_string(s, most, site) : 0;
}

API void *__teasel_memcpy(void *to, const void *from, size_t n) {
    SITE;
    reads(from, n, site);
    writes(to, n, site);
    return memmove(to, from, n);
}

API void *__teasel_memmove(void *to, const void *from, size_t n) {
    SITE;
    reads(from, n, site);
    writes(to, n, site);
    return memmove(to, from, n);
}

API void *__teasel_memset(void *to, int c, size_t n) {
    SITE;
    writes(to, n, site);
    return memset(to, c, n);
}

API int __teasel_memcmp(const void *a, const void *b, size_t n) {
    SITE;
    reads(a, n, site);
    reads(b, n, site);
    return memcmp(a, b, n);
}

API void *__teasel_memchr(const void *s, int c, size_t n) {
    SITE;
    if (!n)
        return NULL;
    tslrt_range_begin(TSL_EV_READ, s, site);
    const char *found = memchr(s, c, n);
    tslrt_range_end(TSL_EV_READ, s, found ? (size_t)(found - (const char *)s) + 1 : n, site);
    return (void *)found;
}

static char *copy(char *to, const char *from, size_t n, uint32_t site) {
    writes(to, n, site);
    return memmove(to, from, n);
}

API char *__teasel_strcpy(char *to, const char *from) {
    SITE;
    return copy(to, from, reads_string(from, ANY, site) + 1, site);
}

API char *__teasel_stpcpy(char *to, const char *from) {
    SITE;
    size_t n = reads_string(from, ANY, site);
    return copy(to, from, n + 1, site) + n;
}

API char *__teasel_strncpy(char *to, const char *from, size_t most) {
    SITE;
    if (!most)
        return to;
    size_t n = reads_string(from, most, site);
    writes(to, most, site);
    memmove(to, from, n);
    memset(to + n, 0, most - n);
    return to;
}

API char *__teasel_strncat(char *to, const char *from, size_t most) {
    SITE;
    size_t at = reads_string(to, ANY, site);
    size_t n = most ? reads_string(from, most, site) : 0;
    copy(to + at, from, n, site);
    writes(to + at + n, 1, site);
    to[at + n] = 0;
    return to;
}

API char *__teasel_strcat(char *to, const char *from) {
    SITE;
    size_t at = reads_string(to, ANY, site);
    copy(to + at, from, reads_string(from, ANY, site) + 1, site);
    return to;
}

API char *__teasel_strdup(const char *s) {
    SITE;
    size_t n = reads_string(s, ANY, site) + 1;
    TSL_HOT->call_site = site;
    char *p = malloc(n);
    return p ? memcpy(p, s, n) : NULL;
}

API char *__teasel_strndup(const char *s, size_t most) {
    SITE;
    size_t n = most ? reads_string(s, most, site) : 0;
    TSL_HOT->call_site = site;
    char *p = malloc(n + 1);
    if (p) {
        memcpy(p, s, n);
        p[n] = 0;
    }
    return p;
}

// How many bytes a comparison looks at: up to and with the first difference or end.
static size_t compared(const char *a, const char *b, size_t most) {
    size_t n = 0;
    while (n < most && a[n] == b[n] && a[n])
        n++;
    return n < most ? n + 1 : n;
}

static void reads_both(const char *a, const char *b, size_t n, uint32_t site) {
    reads(a, n, site);
    reads(b, n, site);
}

API int __teasel_strcmp(const char *a, const char *b) {
    SITE;
    reads_both(a, b, compared(a, b, ANY), site);
    return strcmp(a, b);
}

API int __teasel_strncmp(const char *a, const char *b, size_t most) {
    SITE;
    reads_both(a, b, compared(a, b, most), site);
    return strncmp(a, b, most);
}

API int __teasel_strcasecmp(const char *a, const char *b) {
    SITE;
    reads_string(a, ANY, site);
    reads_string(b, ANY, site);
    return strcasecmp(a, b);
}

API int __teasel_strncasecmp(const char *a, const char *b, size_t most) {
    SITE;
    if (most) {
        reads_string(a, most, site);
        reads_string(b, most, site);
    }
    return strncasecmp(a, b, most);
}

#define SEARCH(name, type)                                                                         \
    API char *__teasel_##name(const char *s, type what) {                                          \
        SITE;                                                                                      \
        reads_string(s, ANY, site);                                                                \
        return name(s, what);                                                                      \
    }

SEARCH(strchr, int)
SEARCH(strrchr, int)

#define SEARCH_STRING(result, name)                                                                \
    API result __teasel_##name(const char *s, const char *what) {                                  \
        SITE;                                                                                      \
        reads_string(s, ANY, site);                                                                \
        reads_string(what, ANY, site);                                                             \
        return name(s, what);                                                                      \
    }

SEARCH_STRING(char *, strstr)
SEARCH_STRING(size_t, strspn)
SEARCH_STRING(size_t, strcspn)
SEARCH_STRING(char *, strpbrk)

// ---------------------------------------------------------------- numbers

#define NUMBER(type, name)                                                                         \
    API type __teasel_##name(const char *s, char **end, int base) {                                \
        SITE;                                                                                      \
        reads_string(s, ANY, site);                                                                \
        type value = name(s, end, base);                                                           \
        if (end)                                                                                   \
            writes(end, sizeof *end, site);                                                        \
        return value;                                                                              \
    }

NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)

API int __teasel_atoi(const char *s) {
    SITE;
    reads_string(s, ANY, site);
    return (int)strtol(s, NULL, 10);
}

API long __teasel_atol(const char *s) {
    SITE;
    reads_string(s, ANY, site);
    return strtol(s, NULL, 10);
}

API long long __teasel_atoll(const char *s) {
    SITE;
    reads_string(s, ANY, site);
    return strtoll(s, NULL, 10);
}

// ---------------------------------------------------------------- sorting

// Elements are announced as they are compared and moved; the comparison may switch
// threads.  Merge sort with a buffer on the heap, as glibc does it: stable.
static void merge_sort(char *base, char *spare, size_t n, size_t size,
                       int (*compare)(const void *, const void *), uint32_t site) {
    if (n < 2)
        return;
    size_t half = n / 2;
    merge_sort(base, spare, half, size, compare, site);
    merge_sort(base + half * size, spare, n - half, size, compare, site);
    size_t i = 0, j = half;
    for (size_t k = 0; k < n; k++) {
        bool left = j == n || (i < half && compare(base + i * size, base + j * size) <= 0);
        size_t from = left ? i++ : j++;
        reads(base + from * size, size, site);
        memcpy(spare + k * size, base + from * size, size);
    }
    writes(base, n * size, site);
    memcpy(base, spare, n * size);
}

API void __teasel_qsort(void *base, size_t n, size_t size,
                        int (*compare)(const void *, const void *)) {
    SITE;
    if (n < 2 || size == 0)
        return;
    char *spare = malloc(n * size);
    merge_sort(base, spare, n, size, compare, site);
    free(spare);
}

API void *__teasel_bsearch(const void *key, const void *base, size_t n, size_t size,
                           int (*compare)(const void *, const void *)) {
    tslrt_take_site();
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        const char *at = (const char *)base + mid * size;
        int order = compare(key, at);
        if (order == 0)
            return (void *)at;
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}
