// A compare-and-swap that stores only behind what another thread does: it races with the plain read in runs in
// which it stores, and a shorter way to where both threads stand does not show that.
// teasel: strategies=optimal,source runs=10000
// expect: race at=27,19 mixed=yes
// expect: race at=27,13 mixed=yes
// expect: races count=2
#include <pthread.h>
#include <stdatomic.h>

static _Atomic long word;

static void *store(void *arg) {
    atomic_store(&word, 1);
    return arg;
}

static void *swap(void *arg) {
    long expected = 1;
    atomic_compare_exchange_strong(&word, &expected, 2);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, store, NULL);
    pthread_create(&b, NULL, swap, NULL);
    long seen = *(long *)&word;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen > 2;
}
