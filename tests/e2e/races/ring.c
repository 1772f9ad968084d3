// One producer and one consumer: a ring buffer with acquire and release.
// teasel: strategies=optimal,source,random runs=3000 native=no
// expect: clean
// expect: complete on=optimal,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { SIZE = 2, N = 3 };
static int slots[SIZE];
static atomic_uint head, tail;

static int put(int x) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    if (t - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
        return 0;
    slots[t % SIZE] = x;
    atomic_store_explicit(&tail, t + 1, memory_order_release);
    return 1;
}

static int take(int *x) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    if (h == atomic_load_explicit(&tail, memory_order_acquire))
        return 0;
    *x = slots[h % SIZE];
    atomic_store_explicit(&head, h + 1, memory_order_release);
    return 1;
}

static void *producer(void *arg) {
    for (int i = 0; i < N; i++)
        put(i);
    return arg;
}

int main(void) {
    pthread_t a;
    int x, last = -1;
    pthread_create(&a, NULL, producer, NULL);
    for (int i = 0; i < N; i++)
        if (take(&x)) {
            assert(x > last);
            last = x;
        }
    pthread_join(a, NULL);
    return 0;
}
