// A spin lock that is given back with a relaxed store protects nothing.
// teasel: strategies=optimal,source,random runs=3000 native=no
// expect: race at=BUG ordered=relaxed ~ `counter`
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int counter;
static atomic_int locked;

static void *work(void *arg) {
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
        ;
    counter++; // BUG
    atomic_store_explicit(&locked, 0, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;
}
