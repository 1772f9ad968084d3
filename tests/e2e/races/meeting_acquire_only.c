// Whoever counts does not release what it wrote before.
// teasel: strategies=optimal,source,random runs=3000 native=no
// expect: race at=BUG ordered=relaxed
// expect: races count=2
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int left, right;
static atomic_int arrived;

static void meet(void) {
    atomic_fetch_add_explicit(&arrived, 1, memory_order_acquire);
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
