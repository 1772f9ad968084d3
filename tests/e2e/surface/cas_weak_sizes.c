// Weak compare-and-swaps of all sizes, and of pointers: what fails for no reason stores nothing.
// teasel: strategies=optimal,random runs=3000 flags=--spurious native=no
// expect: clean
// expect: complete on=optimal
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uint8_t one = 200;
static _Atomic int16_t two = -2;
static _Atomic int32_t four = -4;
static _Atomic int64_t eight = INT64_MIN;
static int target;
static _Atomic(int *) pointer = &target;

#define TRY(object, type, from, to)                                                                \
    do {                                                                                           \
        type expected = from;                                                                      \
        if (atomic_compare_exchange_weak(&object, &expected, to))                                  \
            assert(object == (type)(to));                                                          \
        else {                                                                                     \
            assert(expected == (type)(from));                                                      \
            assert(object == (type)(from));                                                        \
        }                                                                                          \
    } while (0)

static void *nothing(void *arg) { return arg; }

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, nothing, NULL);
    TRY(one, uint8_t, 200, 201);
    TRY(two, int16_t, -2, 7);
    TRY(four, int32_t, -4, 8);
    TRY(eight, int64_t, INT64_MIN, 1);
    TRY(pointer, int *, &target, NULL);
    pthread_join(a, NULL);
    return 0;
}
