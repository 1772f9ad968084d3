// Double-checked locking: the pointer is looked at relaxed, so what it points to may not be there yet.
// teasel: strategies=optimal,source,random runs=3000 native=no
// expect: race at=BUG ordered=relaxed
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) made;

static int *get(void) {
    int *it = atomic_load_explicit(&made, memory_order_relaxed);
    if (!it) {
        pthread_mutex_lock(&lock);
        it = atomic_load_explicit(&made, memory_order_relaxed);
        if (!it) {
            it = malloc(sizeof *it);
            *it = 5; // BUG
            atomic_store_explicit(&made, it, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return it;
}

static void *use(void *arg) {
    return *get() == 5 ? arg : NULL; // BUG
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, use, NULL);
    use(NULL);
    pthread_join(a, NULL);
    return 0;
}
