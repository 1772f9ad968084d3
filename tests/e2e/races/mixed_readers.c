// A plain read and an atomic one do not race.
// teasel: strategies=optimal,source,dfs,random runs=2000 native=no
// expect: clean
// expect: complete on=optimal,source,dfs
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int value = 3;

static void *reader(void *arg) {
    int *sum = arg;
    *sum = atomic_load_explicit(&value, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t a;
    int one = 0;
    pthread_create(&a, NULL, reader, &one);
    int two = *(int *)&value;
    pthread_join(a, NULL);
    return one != two;
}
