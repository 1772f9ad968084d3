// malloc, calloc, realloc, reallocarray, aligned_alloc, posix_memalign, memalign, free, strdup.
// teasel: strategies=random runs=200
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *arg) {
    char *p[20];
    for (int i = 0; i < 20; i++) {
        p[i] = malloc((size_t)i * 7 + 1);
        assert(p[i] && (uintptr_t)p[i] % 16 == 0);
        memset(p[i], i, (size_t)i * 7 + 1);
    }
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < i * 7 + 1; k++)
            assert(p[i][k] == i);
        free(p[i]);
    }
    return arg;
}

// Called through pointers: compilers leave allocations out, and believe they spare errno.
static void *(*volatile allocate)(size_t) = malloc;
static void *(*volatile clear_allocate)(size_t, size_t) = calloc;

int main(void) {
    pthread_t a, b;
    char *p, *q;
    void *v = NULL;

    p = calloc(10, 3);
    for (int i = 0; i < 30; i++)
        assert(p[i] == 0);
    memset(p, 5, 30);
    p = realloc(p, 3000);
    assert(p && p[0] == 5 && p[29] == 5);
    p = realloc(p, 10);
    assert(p && p[9] == 5);
    p = reallocarray(p, 4, 5);
    assert(p && p[9] == 5);
    assert(malloc_usable_size(p) >= 20);
    free(p);
    errno = 0;
    assert(reallocarray(NULL, SIZE_MAX / 2, 4) == NULL && errno == ENOMEM);
    volatile size_t huge = SIZE_MAX / 2;
    errno = 0;
    assert(allocate(huge) == NULL && errno == ENOMEM);
    assert(clear_allocate(huge, 4) == NULL);
    p = realloc(NULL, 8);
    assert(p);
    free(p);
    free(NULL);
    p = malloc(0);
    q = malloc(0);
    assert(p && q && p != q);
    free(p);
    free(q);

    p = aligned_alloc(64, 128);
    assert(p && (uintptr_t)p % 64 == 0);
    free(p);
    assert(posix_memalign(&v, 4096, 100) == 0 && (uintptr_t)v % 4096 == 0);
    free(v);
    assert(posix_memalign(&v, 3, 100) == EINVAL);
    p = memalign(32, 100);
    assert(p && (uintptr_t)p % 32 == 0);
    free(p);
    p = strdup("teasel");
    q = strndup("teasel", 3);
    assert(strcmp(p, "teasel") == 0 && strcmp(q, "tea") == 0);
    free(p);
    free(q);

    p = malloc(40 << 20); // large blocks too
    assert(p);
    p[0] = p[(40 << 20) - 1] = 1;
    free(p);

    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
