// Allocation that never fails; see mem.h.
#define _GNU_SOURCE 1
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tsl_out_of_memory(size_t wanted) {
    fprintf(stderr, "teasel: out of memory (%zu bytes more were needed)\n", wanted);
    _Exit(2);
}

void *tsl_alloc(size_t size) { return tsl_alloc_array(1, size); }

void *tsl_alloc_array(size_t count, size_t size) {
    // calloc(0) may return NULL, which must not look like a failure.
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        tsl_out_of_memory(count * size);
    return p;
}

void *tsl_realloc(void *old, size_t size) {
    void *p = realloc(old, size ? size : 1);
    if (!p)
        tsl_out_of_memory(size);
    return p;
}

void tsl_free(void *p) { free(p); }

char *tsl_strdup(const char *text) { return tsl_strndup(text, strlen(text)); }

char *tsl_strndup(const char *text, size_t max) {
    size_t len = strnlen(text, max);
    char *copy = tsl_alloc(len + 1);
    memcpy(copy, text, len);
    return copy;
}

char *tsl_asprintf(const char *fmt, ...) {
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    if (n < 0)
        tsl_out_of_memory(strlen(fmt));
    return text;
}
