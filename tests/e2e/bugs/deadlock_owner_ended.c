// The thread that holds the lock has ended without giving it back.
// teasel: strategies=random,dfs runs=500
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *forgets(void *arg) {
    pthread_mutex_lock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forgets, NULL);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock); // BUG
    return 0;
}
