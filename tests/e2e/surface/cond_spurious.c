// With --spurious a wait may return without a signal.
// teasel: strategies=random,dfs runs=2000 flags=--spurious
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signaller(void *arg) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, signaller, NULL);
    pthread_mutex_lock(&lock);
    if (!ready) // should be while
        pthread_cond_wait(&cond, &lock);
    assert(ready); // BUG
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
