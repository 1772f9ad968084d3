// Two threads meet at a counter, in the right order.
// teasel: strategies=optimal,source,random runs=3000 native=no
// expect: clean
// expect: complete on=optimal,source
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int left, right;
static atomic_int arrived;

static void meet(void) {
    atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel);
    while (atomic_load_explicit(&arrived, memory_order_acquire) != 2)
        ;
}

static void *work(void *arg) {
    left = 1; // BUG
    meet();
    return right == 2 ? arg : NULL; // BUG
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, work, &left);
    right = 2; // BUG
    meet();
    int seen = left; // BUG
    pthread_join(a, NULL);
    return seen != 1;
}
