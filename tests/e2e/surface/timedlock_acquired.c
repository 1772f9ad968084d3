// pthread_mutex_timedlock while another thread holds the lock for a moment:
// getting it after a wait is reachable.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#ifndef RESULT
#define RESULT 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t held;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    sem_post(&held);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    sem_init(&held, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&held);
    assert(pthread_mutex_timedlock(&lock, &until) != RESULT); // BUG
    pthread_join(thread, NULL);
    return 0;
}
