// A waiter is signalled and then cancelled.  glibc may act on the request though the signal came first; the
// signal is then for the other waiter.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=1000000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting;

static void unlock(void *arg) { pthread_mutex_unlock(arg); }

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    waiting = 1;
    pthread_cond_wait(&cond, &lock);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    int was_waiting = waiting;
    if (was_waiting)
        pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_cancel(thread);
    pthread_join(thread, &value);
    assert(!was_waiting || value != PTHREAD_CANCELED); // BUG
    return 0;
}
