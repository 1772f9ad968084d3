// Blocking calls are cancellation points: wait, sem_wait, join, sleep, read-side of a queue.
// A thread cancelled in pthread_cond_wait holds the mutex while its handlers run.
// teasel: strategies=random runs=300
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t never;
static int unlocked;

static void unlock(void *arg) {
    assert(pthread_mutex_unlock(arg) == 0);
    unlocked++;
}

static void *in_cond_wait(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    for (;;)
        pthread_cond_wait(&cond, &lock);
    pthread_cleanup_pop(1);
    return arg;
}

static void *in_cond_timedwait(void *arg) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1000;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    for (;;)
        pthread_cond_timedwait(&cond, &lock, &until);
    pthread_cleanup_pop(1);
    return arg;
}

static void *in_sem_wait(void *arg) {
    sem_wait(&never);
    return arg;
}

static void *in_sleep(void *arg) {
    for (;;)
        sleep(1000);
    return arg;
}

static void *in_nanosleep(void *arg) {
    struct timespec t = {1000, 0};
    for (;;)
        nanosleep(&t, NULL);
    return arg;
}

static void *in_pause(void *arg) {
    for (;;)
        pause();
    return arg;
}

static void *in_join(void *arg) {
    pthread_join(*(pthread_t *)arg, NULL);
    return NULL;
}

static void stop(pthread_t thread) {
    void *value = NULL;
    assert(pthread_cancel(thread) == 0);
    assert(pthread_join(thread, &value) == 0);
    assert(value == PTHREAD_CANCELED);
}

int main(void) {
    void *(*const body[])(void *) = {in_cond_wait, in_cond_timedwait, in_sem_wait,
                                     in_sleep,     in_nanosleep,      in_pause};
    pthread_t thread, joined;
    sem_init(&never, 0, 0);
    for (unsigned i = 0; i < sizeof body / sizeof body[0]; i++) {
        pthread_create(&thread, NULL, body[i], NULL);
        stop(thread);
    }
    assert(unlocked <= 2); // once for each that came as far as taking the mutex
    assert(pthread_mutex_trylock(&lock) == 0);

    // Cancelling a join leaves the joined thread joinable.
    pthread_create(&joined, NULL, in_sem_wait, NULL);
    pthread_create(&thread, NULL, in_join, &joined);
    stop(thread);
    stop(joined);
    return 0;
}
