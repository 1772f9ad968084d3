// Unnamed semaphores: init, wait, trywait, timedwait, post, getvalue, destroy.
// teasel: strategies=random,dfs runs=500
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t full, empty;
static int place;

static void *producer(void *arg) {
    for (int i = 1; i <= 3; i++) {
        assert(sem_wait(&empty) == 0);
        place = i;
        assert(sem_post(&full) == 0);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_t sem;
    struct timespec until, past = {1, 0}, bad = {0, -1};
    int value = -1;

    errno = 0;
    assert(sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
    assert(sem_init(&sem, 0, 2) == 0);
    assert(sem_getvalue(&sem, &value) == 0 && value == 2);
    assert(sem_wait(&sem) == 0);
    assert(sem_trywait(&sem) == 0);
    assert(sem_getvalue(&sem, &value) == 0 && value == 0);
    errno = 0;
    assert(sem_trywait(&sem) == -1 && errno == EAGAIN);
    errno = 0;
    assert(sem_timedwait(&sem, &past) == -1 && errno == ETIMEDOUT);
    errno = 0;
    assert(sem_timedwait(&sem, &bad) == -1 && errno == EINVAL);
    clock_gettime(CLOCK_MONOTONIC, &until);
    errno = 0;
    assert(sem_clockwait(&sem, CLOCK_MONOTONIC, &until) == -1 && errno == ETIMEDOUT);
    assert(sem_post(&sem) == 0);
    assert(sem_timedwait(&sem, &past) == 0); // there is one: the time does not matter
    assert(sem_post(&sem) == 0);
    assert(sem_destroy(&sem) == 0);

    assert(sem_init(&sem, 0, SEM_VALUE_MAX) == 0);
    errno = 0;
    assert(sem_post(&sem) == -1 && errno == EOVERFLOW);
    assert(sem_destroy(&sem) == 0);

    assert(sem_init(&full, 0, 0) == 0);
    assert(sem_init(&empty, 0, 1) == 0);
    pthread_create(&thread, NULL, producer, NULL);
    for (int i = 1; i <= 3; i++) {
        assert(sem_wait(&full) == 0);
        assert(place == i);
        assert(sem_post(&empty) == 0);
    }
    pthread_join(thread, NULL);
    return 0;
}
