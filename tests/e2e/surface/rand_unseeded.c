// Without a seed, and with a seed from the clock or the pid, every run is still the same:
// the sum printed is checked by replay and by the determinism test.
// teasel: strategies=random runs=200
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static unsigned sum[2];

static void *worker(void *arg) {
    unsigned *mine = arg;
    for (int i = 0; i < 3; i++)
        *mine = *mine * 31 + (unsigned)rand();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    printf("%d\n", rand());
    srand((unsigned)time(NULL) ^ (unsigned)getpid());
    pthread_create(&a, NULL, worker, &sum[0]);
    pthread_create(&b, NULL, worker, &sum[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%u %u\n", sum[0], sum[1]);
    return 0;
}
