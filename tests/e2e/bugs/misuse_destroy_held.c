// A mutex is destroyed while a thread holds it: only in some orders.
// teasel: strategies=random,dfs runs=2000
// expect: misuse at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock); // BUG
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_destroy(&lock); // BUG
    pthread_join(thread, NULL);
    return 0;
}
