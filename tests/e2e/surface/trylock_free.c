// pthread_mutex_trylock: success is reachable.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    assert(pthread_mutex_trylock(&lock) != 0); // BUG
    pthread_join(thread, NULL);
    return 0;
}
