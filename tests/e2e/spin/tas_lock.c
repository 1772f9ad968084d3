// A lock made of an exchange, and one that looks first.
// teasel: strategies=optimal,dpor,source,random runs=100000
// expect: clean on=random
// expect: complete on=optimal,dpor,source
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second;
static int a, b;

static void lock(atomic_int *l) {
    while (atomic_exchange(l, 1))
        ;
}

static void lock_if_free(atomic_int *l) {
    for (;;) {
        while (atomic_load_explicit(l, memory_order_relaxed))
            ;
        if (!atomic_exchange(l, 1))
            return;
    }
}

static void *work(void *arg) {
    (void)arg;
    lock(&first);
    a++;
    atomic_store(&first, 0);
    lock_if_free(&second);
    b++;
    atomic_store(&second, 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(a == 2 && b == 2);
    return 0;
}
