// What a section accesses depends on what it reads: where that is not what a search took it for, it begins again, and misses nothing.
//
// teasel: strategies=optimal,source,portfolio flags=--keep-going
// expect: complete
// expect: race
// expect: executions source=13
#include <pthread.h>
#include <stdlib.h>

static int writer, readers;

static void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

void __VERIFIER_atomic_take_write_lock(void) {
    assume_abort_if_not(writer == 0 && readers == 0);
    writer = 1;
}

void __VERIFIER_atomic_take_read_lock(void) {
    assume_abort_if_not(writer == 0);
    readers = readers + 1;
}

static void *writes(void *arg) {
    __VERIFIER_atomic_take_write_lock();
    writer = 0;
    return arg;
}

static void *reads(void *arg) {
    __VERIFIER_atomic_take_read_lock();
    return arg;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writes, NULL);
    pthread_create(&threads[1], NULL, reads, NULL);
    pthread_create(&threads[2], NULL, writes, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
