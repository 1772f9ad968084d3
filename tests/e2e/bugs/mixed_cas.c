// A compare-and-swap of eight bytes and stores to half of them: whether it stores can't be told
// from the values that were overwritten, and every order is found all the same.
// teasel: strategies=random,dfs,source,optimal runs=20000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
    _Atomic uint64_t whole;
    _Atomic uint32_t half[2];
} u;

static void *swap(void *arg) {
    uint64_t empty = 0;
    atomic_compare_exchange_strong(&u.whole, &empty, 5);
    return arg;
}

static void *store(void *arg) {
    atomic_store(&u.half[1], 1);
    return arg;
}

static void *look(void *arg) {
    uint32_t low = atomic_load(&u.half[0]), high = atomic_load(&u.half[1]);
    assert(!(low == 5 && high == 1)); // BUG
    return arg;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, look, NULL);
    pthread_create(&threads[1], NULL, store, NULL);
    pthread_create(&threads[2], NULL, swap, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
