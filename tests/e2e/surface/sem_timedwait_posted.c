// sem_timedwait with a post on its way: getting it is reachable.
// teasel: strategies=random,dfs runs=500
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t sem;

static void *poster(void *arg) {
    sem_post(&sem);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    sem_init(&sem, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    pthread_create(&thread, NULL, poster, NULL);
    assert(sem_timedwait(&sem, &until) != 0); // BUG
    pthread_join(thread, NULL);
    return 0;
}
