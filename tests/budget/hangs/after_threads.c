// hangs: when all other threads are gone
#include <pthread.h>

volatile int flag;

static void *work(void *unused) { return unused; }

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    while (!flag)
        ;
}
