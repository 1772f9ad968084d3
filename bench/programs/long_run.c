// Two threads with many shared accesses: how many events can be recorded per second?
//
//     long_run N     updates per thread; each is two accesses
#include <pthread.h>
#include <stdlib.h>

static long updates;
static int cells[64];

static void *update(void *arg) {
    long n = *(long *)arg;
    for (long i = 0; i < n; i++)
        cells[i & 63] = cells[i & 63] + 1;
    return arg;
}

int main(int argc, char **argv) {
    pthread_t a, b;
    updates = argc > 1 ? atol(argv[1]) : 10000;
    pthread_create(&a, NULL, update, &updates);
    pthread_create(&b, NULL, update, &updates);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
