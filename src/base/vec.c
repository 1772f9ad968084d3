// Typed growing arrays: the untyped part.
#include "base/vec.h"

#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

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

void tsl_vec_release(void *data) { tsl_free(data); }
