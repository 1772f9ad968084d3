// A wait unlocks a robust mutex whose owner has died: if it was not made consistent nobody can lock it again, the waiter neither.
// teasel: strategies=optimal,source,dfs,random runs=20000
// expect: complete on=optimal
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *dies(void *arg) {
    assert(pthread_mutex_lock(&lock) == 0);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attr);
    pthread_t thread;
    pthread_create(&thread, NULL, dies, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
    struct timespec past = {0};
    assert(pthread_cond_timedwait(&cond, &lock, &past) == ENOTRECOVERABLE);
    assert(pthread_mutex_lock(&lock) == ENOTRECOVERABLE);
    return 0;
}
