// Each thread has its own clock; whoever synchronises with another is not earlier than it.
// teasel: strategies=random,dfs runs=2000
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static long long stamp;

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void *late(void *arg) {
    assert(now() > *(long long *)arg);
    sleep(10);
    pthread_mutex_lock(&mutex);
    stamp = now();
    pthread_mutex_unlock(&mutex);
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t thread;
    long long before = now();
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, late, &before);
    pthread_mutex_lock(&mutex);
    long long here = now();
    assert(stamp ? here > stamp && here >= before + 10000000000ll : here < before + 1000000000ll);
    pthread_mutex_unlock(&mutex);
    sem_wait(&done);
    assert(now() > before + 10000000000ll);
    pthread_join(thread, NULL);
    return 0;
}
