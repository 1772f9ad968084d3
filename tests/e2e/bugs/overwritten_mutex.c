// The middle of a mutex is overwritten: that conflicts with every step on it, not only a write to its
// first byte.  A lock or unlock behind the write is the error, one before it is none.
//
// teasel: strategies=optimal,source,dpor,dfs flags=--keep-going native=no
// expect: misuse at=14
// expect: misuse at=15
// expect: replay same
#include <pthread.h>

static pthread_mutex_t mutex;

static void *locks(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *writes(void *arg) {
    (void)arg;
    ((volatile char *)&mutex)[19] = 0x55; // part of its type
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_mutex_init(&mutex, NULL);
    pthread_create(&a, NULL, locks, NULL);
    pthread_create(&b, NULL, writes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
