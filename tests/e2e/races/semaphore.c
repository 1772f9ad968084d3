// Handed over through a semaphore.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: clean
// expect: complete on=optimal,dfs
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t full, empty;
static int slot;

static void *producer(void *arg) {
    for (int i = 1; i <= 2; i++) {
        sem_wait(&empty);
        slot = i;
        sem_post(&full);
    }
    return arg;
}

int main(void) {
    pthread_t a;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&a, NULL, producer, NULL);
    for (int i = 1; i <= 2; i++) {
        sem_wait(&full);
        assert(slot == i);
        sem_post(&empty);
    }
    pthread_join(a, NULL);
    return 0;
}
