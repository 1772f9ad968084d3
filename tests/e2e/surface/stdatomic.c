// <stdatomic.h>: every operation on every integer size, pointers, flags, fences.
// teasel: strategies=random,dfs runs=200
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define EXERCISE(type)                                                                             \
    static void exercise_##type(void) {                                                            \
        static _Atomic type x;                                                                     \
        type expected;                                                                             \
        atomic_init(&x, 5);                                                                        \
        assert(atomic_is_lock_free(&x));                                                           \
        assert(atomic_load(&x) == 5);                                                              \
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 5);                               \
        assert(atomic_load_explicit(&x, memory_order_acquire) == 5);                               \
        atomic_store(&x, 6);                                                                       \
        atomic_store_explicit(&x, 7, memory_order_release);                                        \
        assert(atomic_exchange(&x, 8) == 7);                                                       \
        assert(atomic_exchange_explicit(&x, 9, memory_order_acq_rel) == 8);                        \
        assert(atomic_fetch_add(&x, 1) == 9);                                                      \
        assert(atomic_fetch_sub(&x, 4) == 10);                                                     \
        assert(atomic_fetch_or(&x, 9) == 6);                                                       \
        assert(atomic_fetch_and(&x, 12) == 15);                                                    \
        assert(atomic_fetch_xor(&x, 10) == 12);                                                    \
        assert(atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) == 6);                       \
        expected = 3;                                                                              \
        assert(!atomic_compare_exchange_strong(&x, &expected, 1));                                 \
        assert(expected == 7);                                                                     \
        assert(atomic_compare_exchange_strong(&x, &expected, 1));                                  \
        assert(x == 1);                                                                            \
        expected = 1;                                                                              \
        while (!atomic_compare_exchange_weak(&x, &expected, 2))                                    \
            assert(expected == 1);                                                                 \
        expected = 2;                                                                              \
        assert(atomic_compare_exchange_strong_explicit(&x, &expected, 3, memory_order_acq_rel,     \
                                                       memory_order_acquire));                     \
        x++;                                                                                       \
        ++x;                                                                                       \
        x += 3;                                                                                    \
        x -= 1;                                                                                    \
        x |= 16;                                                                                   \
        x &= 30;                                                                                   \
        x ^= 2;                                                                                    \
        x--;                                                                                       \
        assert(x == ((((3 + 2 + 3 - 1) | 16) & 30) ^ 2) - 1);                                      \
    }

typedef signed char schar;
typedef unsigned char uchar;
typedef long long llong;
EXERCISE(schar)
EXERCISE(uchar)
EXERCISE(int16_t)
EXERCISE(uint16_t)
EXERCISE(int32_t)
EXERCISE(uint32_t)
EXERCISE(int64_t)
EXERCISE(uint64_t)
EXERCISE(llong)

static void wrap(void) {
    atomic_uchar byte = 255;
    atomic_int word = INT32_MAX;
    assert(atomic_fetch_add(&byte, 1) == 255 && byte == 0);
    assert(atomic_fetch_sub(&byte, 1) == 0 && byte == 255);
    assert(atomic_fetch_add(&word, 1) == INT32_MAX && word == INT32_MIN);
}

static void pointers(void) {
    static int array[4];
    _Atomic(int *) p = array;
    int *expected = array;
    assert(atomic_fetch_add(&p, 2) == array);
    assert(p == array + 2);
    assert(atomic_fetch_sub(&p, 1) == array + 2);
    assert(!atomic_compare_exchange_strong(&p, &expected, NULL));
    assert(expected == array + 1);
    assert(atomic_exchange(&p, NULL) == array + 1);
    assert(p == NULL);
}

static void others(void) {
    atomic_flag flag = ATOMIC_FLAG_INIT;
    atomic_bool b = false;
    _Atomic float f = 1.5f;
    _Atomic double d = 2.5;
    double expected = 2.5;
    struct pair {
        int a, b;
    };
    _Atomic struct pair pair = (struct pair){1, 2};
    struct pair got;

    assert(!atomic_flag_test_and_set(&flag));
    assert(atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear(&flag);
    assert(!atomic_flag_test_and_set(&flag));
    atomic_flag_clear_explicit(&flag, memory_order_release);
    assert(!atomic_exchange(&b, true) && b);
    f += 1.0f;
    assert(f == 2.5f);
    assert(atomic_compare_exchange_strong(&d, &expected, 3.5) && d == 3.5);
    atomic_store(&pair, ((struct pair){3, 4}));
    got = atomic_load(&pair);
    assert(got.a == 3 && got.b == 4);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_acquire);
    atomic_signal_fence(memory_order_release);
}

static atomic_int shared;
static atomic_uchar small;

static void *add(void *arg) {
    unsigned char old = atomic_load(&small);
    atomic_fetch_add(&shared, 1);
    while (!atomic_compare_exchange_weak(&small, &old, (unsigned char)(old + 1)))
        ;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    exercise_schar();
    exercise_uchar();
    exercise_int16_t();
    exercise_uint16_t();
    exercise_int32_t();
    exercise_uint32_t();
    exercise_int64_t();
    exercise_uint64_t();
    exercise_llong();
    wrap();
    pointers();
    others();
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared == 2 && small == 2);
    return 0;
}
