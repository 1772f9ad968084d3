// Endless: a thread that computes without end beside one that works.
#include <pthread.h>

unsigned long total;
static int shared;

static void *compute(void *unused) {
    for (unsigned long i = 0;; i++)
        total += i ^ (unsigned long)shared;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, compute, 0);
    shared = 1;
    pthread_join(t, 0);
}
