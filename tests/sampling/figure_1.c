// Fig. 1 of the RAPOS paper: the assertion fails in one of the two partial orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *first(void *arg) {
    y = 1;
    y = 2;
    y = 3;
    x = 4;
    return arg;
}

static void *second(void *arg) {
    assert(x != 4);
    return arg;
}

int main(void) {
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, first, NULL);
    pthread_create(&thread[1], NULL, second, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
