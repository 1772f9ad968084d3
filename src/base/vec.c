// Typed growing arrays: the untyped part.
#include "base/vec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

void *tsl_vec_grow(void *data, size_t *cap, size_t wanted, size_t size) {
    if (wanted <= *cap)
        return data;
    if (wanted > SIZE_MAX / 2 / size)
        tsl_out_of_memory(SIZE_MAX);
    size_t grown = *cap < 8 ? 8 : *cap + *cap / 2;
    *cap = grown < wanted ? wanted : grown;
    return tsl_realloc(data, *cap * size);
}

void tsl_vec_is_empty(void) {
    tsl_abort_bug(__FILE__, __LINE__, "len == 0",
                  "the last element of an empty vector was asked for");
}

void tsl_vec_clear_new(void *data, size_t size) { memset(data, 0, size); }

void tsl_vec_copy(void *to, const void *from, size_t size) {
    if (size)
        memcpy(to, from, size);
}

void tsl_vec_order(void *data, size_t len, size_t size,
                   int (*compare)(const void *, const void *)) {
    if (len > 1)
        qsort(data, len, size, compare);
}

int tsl_vec_by_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int tsl_vec_by_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void tsl_texts_drop(tsl_texts *texts) {
    for (size_t i = 0; i < texts->len; i++)
        tsl_free(texts->data[i]);
    tsl_vec_drop(texts);
}
