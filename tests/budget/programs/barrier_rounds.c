// Long: thousands of rounds at a barrier.
#include <pthread.h>

static pthread_barrier_t b;

static void *meet(void *unused) {
    for (int i = 0; i < 20000; i++)
        pthread_barrier_wait(&b);
    return unused;
}

int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&b, 0, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, meet, 0);
    meet(0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
