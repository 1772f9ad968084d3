// Wide: every run dies, in another place, and the search goes on.
#include <pthread.h>
#include <stdlib.h>

static volatile int n;

static void *add(void *unused) {
    for (int i = 0; i < 100; i++)
        n++;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    volatile char *p = (volatile char *)(long)n;
    *p = 1;
}
