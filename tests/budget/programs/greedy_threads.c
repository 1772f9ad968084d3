// Greedy: starts threads that stay, until there are no more.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *stay(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        n++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t t;
    while (pthread_create(&t, 0, stay, 0) == 0)
        ;
    for (;;)
        stay(0);
}
