// A thread fails right behind the step that lets another one go on: that one can't come before it, but before the lock was taken.
// teasel: strategies=optimal,source,dpor,dpor-cr-sleep,raceflip-opt runs=100000 flags=--keep-going
// expect: assertion at=BUG_HELD
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#include "teasel.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;
static int held, way;

static void take(void) {
    if (way == 0)
        pthread_mutex_lock(&mutex);
    else if (way == 1)
        pthread_rwlock_wrlock(&rwlock);
    else if (way == 2)
        pthread_spin_lock(&spin);
    else
        sem_wait(&semaphore);
}

static void give(void) {
    if (way == 0)
        pthread_mutex_unlock(&mutex);
    else if (way == 1)
        pthread_rwlock_unlock(&rwlock);
    else if (way == 2)
        pthread_spin_unlock(&spin);
    else
        sem_post(&semaphore);
}

static void set(int value) {
    take();
    held = value;
    give();
}

static void *work(void *arg) {
    set(1);
    set(0);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&spin, 0);
    sem_init(&semaphore, 0, 1);
    way = (int)teasel_choose(4);
    pthread_create(&thread, NULL, work, NULL);
    take();
    int seen = held;
    give();
    assert(!seen); // BUG_HELD
    pthread_join(thread, NULL);
    return 0;
}
