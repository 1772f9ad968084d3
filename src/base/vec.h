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

#include <stddef.h>

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
        if ((v)->len == (v)->cap)                                                                  \
            tsl_vec_reserve(v, (v)->len + 1);                                                      \
        (v)->data[(v)->len] = (__VA_ARGS__);                                                       \
        (v)->len++;                                                                                \
    } while (0)

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
        tsl_vec_release((v)->data);                                                                \
        (v)->data = NULL;                                                                          \
        (v)->len = (v)->cap = 0;                                                                   \
    } while (0)

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
void tsl_vec_release(void *data);

#endif
