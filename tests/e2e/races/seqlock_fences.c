// A reader of a sequence lock: relaxed data between fences, so that nothing races.
// teasel: strategies=optimal,source,random runs=5000 native=no
// expect: clean
// expect: complete on=optimal,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *writer(void *arg) {
    unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, writer, NULL);
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int one = atomic_load_explicit(&x, memory_order_relaxed);
    int two = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    assert(before != after || (before & 1) || one == two);
    pthread_join(a, NULL);
    return 0;
}
