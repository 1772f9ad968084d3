// The condition is tested without the lock: the signal comes before the wait.
// teasel: strategies=random,dfs runs=2000
// expect: deadlock at=BUG
// expect: race ~ `ready`
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg) {
    if (!ready) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&cond, &lock); // BUG
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    ready = 1;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL); // BUG
    return 0;
}
