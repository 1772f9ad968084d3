// Endless: tries a lock that is never given back.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *spin(void *unused) {
    while (pthread_mutex_trylock(&m) != 0)
        ;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, spin, 0);
    pthread_join(t, 0);
}
