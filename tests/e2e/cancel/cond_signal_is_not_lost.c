// Two wait, one signal comes, and the first is cancelled.  If the signal had chosen that one, it is for the
// other one now, which goes on.
// teasel: strategies=optimal,source,dpor-cr-sleep runs=1000000
// expect: complete
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int waiting;

static void unlock(void *arg) { pthread_mutex_unlock(arg); }

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    if (waiting++ < 2)
        pthread_cond_wait(&cond, &lock);
    pthread_cleanup_pop(1);
    return arg;
}

static void wake_all(void) {
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t a, b;
    void *value;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    int both = waiting == 2;
    if (both)
        pthread_cond_signal(&cond);
    else
        waiting = 2; // whoever comes later does not wait
    pthread_mutex_unlock(&lock);
    if (!both)
        wake_all();
    pthread_cancel(a);
    pthread_join(a, &value);
    if (both && value != PTHREAD_CANCELED)
        wake_all();
    pthread_join(b, NULL);
    return 0;
}
