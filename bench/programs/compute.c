// Two threads that mostly compute, so that several workers pay off.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sum;
static int rounds;

static void *worker(void *arg) {
    uint64_t x = *(uint64_t *)arg;
    int n = rounds; // read once, because an access is an event
    for (int i = 0; i < n; i++)
        x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u + 1;
    pthread_mutex_lock(&lock);
    sum += x;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    uint64_t seeds[] = {1, 2};
    pthread_t t[2];
    rounds = argc > 1 ? atoi(argv[1]) : 300000;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &seeds[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return sum == 0;
}
