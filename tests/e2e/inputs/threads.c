// Arguments and results of threads, atomics and locks let values through.
// teasel: strategies=optimal flags=--solver-check
// expect: complete
// expect: paths count=5
// expect: mispredicted count=0
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <teasel.h>

static _Atomic int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int guarded;

static void *worker(void *arg) {
    int x = (int)(intptr_t)arg;
    pthread_mutex_lock(&lock);
    guarded = x + 1;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&shared, x);
    return (void *)(intptr_t)(x * 2);
}

int main(void) {
    int x;
    pthread_t t;
    void *result;
    TEASEL_INPUT(x);
    pthread_create(&t, NULL, worker, (void *)(intptr_t)x);
    pthread_join(t, &result);
    if ((int)(intptr_t)result == 20)
        return 0;
    if (guarded == 31)
        return 0;
    if (atomic_load(&shared) == 40)
        return 0;
    int expected = 50;
    if (atomic_compare_exchange_strong(&shared, &expected, 1))
        return 0;
    return 0;
}
