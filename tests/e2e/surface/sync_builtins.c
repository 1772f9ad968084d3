// __sync_*: every operation, 1 to 16 bytes.
// teasel: strategies=random,dfs runs=200 cflags=-mcx16
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef unsigned __int128 u128;

#define EXERCISE(type)                                                                             \
    static void exercise_##type(void) {                                                            \
        static _Alignas(16) type x;                                                                \
        x = 5;                                                                                     \
        assert(__sync_fetch_and_add(&x, 4) == 5);                                                  \
        assert(__sync_fetch_and_sub(&x, 3) == 9);                                                  \
        assert(__sync_fetch_and_or(&x, 9) == 6);                                                   \
        assert(__sync_fetch_and_and(&x, 12) == 15);                                                \
        assert(__sync_fetch_and_xor(&x, 10) == 12);                                                \
        assert(__sync_fetch_and_nand(&x, 2) == 6);                                                 \
        assert(x == (type) ~(type)2);                                                              \
        x = 5;                                                                                     \
        assert(__sync_add_and_fetch(&x, 4) == 9);                                                  \
        assert(__sync_sub_and_fetch(&x, 3) == 6);                                                  \
        assert(__sync_or_and_fetch(&x, 9) == 15);                                                  \
        assert(__sync_and_and_fetch(&x, 12) == 12);                                                \
        assert(__sync_xor_and_fetch(&x, 10) == 6);                                                 \
        assert(__sync_nand_and_fetch(&x, 2) == (type) ~(type)2);                                   \
        x = 5;                                                                                     \
        assert(__sync_bool_compare_and_swap(&x, 5, 6));                                            \
        assert(!__sync_bool_compare_and_swap(&x, 5, 7));                                           \
        assert(__sync_val_compare_and_swap(&x, 6, 8) == 6);                                        \
        assert(__sync_val_compare_and_swap(&x, 6, 9) == 8);                                        \
        assert(__sync_lock_test_and_set(&x, 1) == 8);                                              \
        __sync_lock_release(&x);                                                                   \
        assert(x == 0);                                                                            \
        __sync_synchronize();                                                                      \
    }

EXERCISE(uint8_t)
EXERCISE(uint16_t)
EXERCISE(uint32_t)
EXERCISE(uint64_t)
EXERCISE(u128)

static int shared;

static void *add(void *arg) {
    __sync_fetch_and_add(&shared, 1);
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
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared == 2);
    return 0;
}
