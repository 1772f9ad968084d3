// Without weak atomics nothing is said of them.
// teasel: strategies=optimal,random runs=1000 native=no
// expect: clean
// expect: complete on=optimal
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int ready;

static void *producer(void *arg) {
    data = 42;
    atomic_store(&ready, 1);
    return arg;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, NULL, producer, NULL);
    if (atomic_load(&ready))
        seen = data;
    pthread_join(a, NULL);
    return seen != 0 && seen != 42;
}
