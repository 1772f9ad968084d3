// Typed growing arrays.
//
//     typedef TSL_VEC(int) ints;
//     ints v = {0};              // all zero is empty
//     tsl_vec_push(&v, 7);
//     for (size_t i = 0; i < v.len; i++) use(v.data[i]);
//     tsl_vec_drop(&v);
//
// The macros take a pointer to the vector and may evaluate it more than once.
#ifndef TSL_BASE_VEC_H
#define TSL_BASE_VEC_H

#include "base/mem.h"

#define TSL_VEC(T)                                                                                 \
    struct {                                                                                       \
        T *data;                                                                                   \
        size_t len, cap;                                                                           \
    }

// Room for n elements in all.
#define tsl_vec_reserve(v, n)                                                                      \
    ((void)((n) > (v)->cap                                                                         \
                ? (v)->data = tsl_vec_grow((v)->data, &(v)->cap, (n), sizeof *(v)->data)           \
                : 0))

// The element is evaluated after growing and may be a compound literal.
#define tsl_vec_push(v, ...)                                                                       \
    do {                                                                                           \
        if (__builtin_expect((v)->len == (v)->cap, 0))                                             \
            tsl_vec_reserve(v, (v)->len + 1);                                                      \
        (v)->data[(v)->len] = (__VA_ARGS__);                                                       \
        (v)->len++;                                                                                \
    } while (0)

// Appends n elements of an array, which may be NULL if n is 0.
#define tsl_vec_append(v, from, n)                                                                 \
    do {                                                                                           \
        tsl_vec_reserve(v, (v)->len + (n));                                                        \
        tsl_vec_copy((v)->data + (v)->len, (from), (n) * sizeof *(v)->data);                       \
        (v)->len += (n);                                                                           \
    } while (0)

// Makes the vector at least n long; new elements are all zero.
#define tsl_vec_lengthen(v, n)                                                                     \
    do {                                                                                           \
        if ((n) > (v)->len) {                                                                      \
            tsl_vec_reserve(v, n);                                                                 \
            tsl_vec_clear_new((v)->data + (v)->len, ((n) - (v)->len) * sizeof *(v)->data);         \
            (v)->len = (n);                                                                        \
        }                                                                                          \
    } while (0)

// The comparison is that of qsort.
#define tsl_vec_sort(v, compare) tsl_vec_order((v)->data, (v)->len, sizeof *(v)->data, (compare))
int tsl_vec_by_u32(const void *a, const void *b); // ascending
int tsl_vec_by_u64(const void *a, const void *b);

#define tsl_vec_last(v) ((v)->data[tsl_vec_before((v)->len)])
#define tsl_vec_pop(v) ((v)->data[(v)->len = tsl_vec_before((v)->len)])
#define tsl_vec_clear(v) ((void)((v)->len = 0))

// The new element gets this index, or the element with this index goes; those behind it move.
#define tsl_vec_insert(v, at, ...)                                                                 \
    do {                                                                                           \
        size_t at_ = (at);                                                                         \
        tsl_vec_reserve(v, (v)->len + 1);                                                          \
        tsl_vec_move(v, at_ + 1, at_, (v)->len - at_);                                             \
        (v)->data[at_] = (__VA_ARGS__);                                                            \
        (v)->len++;                                                                                \
    } while (0)
#define tsl_vec_remove(v, at)                                                                      \
    do {                                                                                           \
        size_t at_ = (at);                                                                         \
        (v)->len--;                                                                                \
        tsl_vec_move(v, at_, at_ + 1, (v)->len - at_);                                             \
    } while (0)

#define tsl_vec_drop(v)                                                                            \
    do {                                                                                           \
        tsl_free((v)->data);                                                                       \
        (v)->data = NULL;                                                                          \
        (v)->len = (v)->cap = 0;                                                                   \
    } while (0)

// Strings that the vector owns.
typedef TSL_VEC(char *) tsl_texts;
void tsl_texts_drop(tsl_texts *texts);

// For the macros only.
#define tsl_vec_move(v, to, from, n)                                                               \
    ((void)__builtin_memmove((v)->data + (to), (v)->data + (from), (n) * sizeof *(v)->data))
void *tsl_vec_grow(void *data, size_t *cap, size_t wanted, size_t size);
_Noreturn void tsl_vec_is_empty(void);
static inline size_t tsl_vec_before(size_t len) {
    if (__builtin_expect(len == 0, 0))
        tsl_vec_is_empty();
    return len - 1;
}
void tsl_vec_clear_new(void *data, size_t size);
void tsl_vec_copy(void *to, const void *from, size_t size);
void tsl_vec_order(void *data, size_t len, size_t size, int (*compare)(const void *, const void *));

#endif
