// __atomic_*: every operation, 1 to 16 bytes, with the generic forms too.
// teasel: strategies=random,dfs runs=200 cflags="-mcx16 -latomic"
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 u128;

#define EXERCISE(type)                                                                             \
    static void exercise_##type(void) {                                                            \
        static _Alignas(16) type x, y, z;                                                          \
        const type high = (type)((type)1 << (sizeof(type) * 8 - 1));                               \
        x = 5;                                                                                     \
        assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 5);                                        \
        __atomic_store_n(&x, (type)(high | 6), __ATOMIC_SEQ_CST);                                  \
        assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == (type)(high | 6));                         \
        assert(__atomic_exchange_n(&x, 8, __ATOMIC_ACQ_REL) == (type)(high | 6));                  \
        y = 9;                                                                                     \
        __atomic_store(&x, &y, __ATOMIC_RELEASE);                                                  \
        __atomic_load(&x, &z, __ATOMIC_ACQUIRE);                                                   \
        assert(z == 9);                                                                            \
        y = 10;                                                                                    \
        __atomic_exchange(&x, &y, &z, __ATOMIC_SEQ_CST);                                           \
        assert(z == 9 && x == 10);                                                                 \
        assert(__atomic_fetch_add(&x, 5, __ATOMIC_RELAXED) == 10);                                 \
        assert(__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST) == 16);                                 \
        assert(__atomic_fetch_sub(&x, 1, __ATOMIC_SEQ_CST) == 16);                                 \
        assert(__atomic_sub_fetch(&x, 3, __ATOMIC_SEQ_CST) == 12);                                 \
        assert(__atomic_fetch_and(&x, 6, __ATOMIC_SEQ_CST) == 12);                                 \
        assert(__atomic_and_fetch(&x, 12, __ATOMIC_SEQ_CST) == 4);                                 \
        assert(__atomic_fetch_or(&x, 3, __ATOMIC_SEQ_CST) == 4);                                   \
        assert(__atomic_or_fetch(&x, 8, __ATOMIC_SEQ_CST) == 15);                                  \
        assert(__atomic_fetch_xor(&x, 5, __ATOMIC_SEQ_CST) == 15);                                 \
        assert(__atomic_xor_fetch(&x, 1, __ATOMIC_SEQ_CST) == 11);                                 \
        assert(__atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST) == 11);                                \
        assert(x == (type) ~(type)3);                                                              \
        assert(__atomic_nand_fetch(&x, 15, __ATOMIC_SEQ_CST) == (type) ~(type)12);                 \
        x = high;                                                                                  \
        y = 1;                                                                                     \
        assert(                                                                                    \
            !__atomic_compare_exchange_n(&x, &y, 2, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));   \
        assert(y == high);                                                                         \
        assert(__atomic_compare_exchange_n(&x, &y, 2, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        assert(x == 2);                                                                            \
        y = 2;                                                                                     \
        z = 3;                                                                                     \
        assert(__atomic_compare_exchange(&x, &y, &z, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));  \
        assert(x == 3);                                                                            \
    }

EXERCISE(uint8_t)
EXERCISE(uint16_t)
EXERCISE(uint32_t)
EXERCISE(uint64_t)
EXERCISE(u128)

// Sizes that no instruction has go through functions.
#define ODD(size)                                                                                  \
    static void odd_##size(void) {                                                                 \
        struct block {                                                                             \
            char byte[size];                                                                       \
        };                                                                                         \
        static struct block x;                                                                     \
        struct block a, b, c;                                                                      \
        memset(&a, 1, size);                                                                       \
        memset(&b, 2, size);                                                                       \
        __atomic_store(&x, &a, __ATOMIC_SEQ_CST);                                                  \
        __atomic_load(&x, &c, __ATOMIC_SEQ_CST);                                                   \
        assert(memcmp(&c, &a, size) == 0);                                                         \
        __atomic_exchange(&x, &b, &c, __ATOMIC_SEQ_CST);                                           \
        assert(memcmp(&c, &a, size) == 0);                                                         \
        assert(!__atomic_compare_exchange(&x, &a, &c, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
        assert(memcmp(&a, &b, size) == 0);                                                         \
        memset(&c, 3, size);                                                                       \
        assert(__atomic_compare_exchange(&x, &a, &c, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));  \
        assert(memcmp(&x, &c, size) == 0);                                                         \
    }

ODD(3)
ODD(5)
ODD(6)
ODD(7)
ODD(12)
ODD(16)

static char flag;
static _Alignas(16) u128 shared;

static void *add(void *arg) {
    u128 old = __atomic_load_n(&shared, __ATOMIC_SEQ_CST);
    u128 one = ((u128)1 << 64) + 1;
    while (!__atomic_compare_exchange_n(&shared, &old, old + one, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
        ;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    exercise_uint8_t();
    exercise_uint16_t();
    exercise_uint32_t();
    exercise_uint64_t();
    exercise_u128();
    odd_3();
    odd_5();
    odd_6();
    odd_7();
    odd_12();
    odd_16();
    assert(!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    assert(__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    assert(!flag);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    assert(__atomic_always_lock_free(sizeof(long), 0));
    assert(__atomic_is_lock_free(sizeof(long), &shared));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((uint64_t)shared == 2 && (uint64_t)(shared >> 64) == 2);
    return 0;
}
