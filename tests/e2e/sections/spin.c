// A spin lock of sections.
// teasel: strategies=optimal,source native=no
// expect: complete
#include <pthread.h>
#include <stdlib.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int locked, count;

static void lock(void) {
    for (;;) {
        __VERIFIER_atomic_begin();
        int was = locked;
        locked = 1;
        if (was)
            locked = was;
        __VERIFIER_atomic_end();
        if (!was)
            return;
    }
}

static void unlock(void) {
    __VERIFIER_atomic_begin();
    locked = 0;
    __VERIFIER_atomic_end();
}

static void *one(void *arg) {
    lock();
    count++;
    unlock();
    return arg;
}

#define two one

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    TEASEL_ASSERT(count == 2);
    return 0;
}
