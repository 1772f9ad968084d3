// pthread_cond_timedwait with a signal on its way: being woken is reachable.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#ifndef RESULT
#define RESULT 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *signaller(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, signaller, NULL);
    assert(pthread_cond_timedwait(&cond, &lock, &until) != RESULT); // BUG
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
