// A thread ends with the lock another waits for; main does not wait for either.
// teasel: strategies=random,dfs,optimal runs=500
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *forgets(void *arg) {
    pthread_mutex_lock(&lock); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, forgets, NULL);
    pthread_create(&thread, NULL, forgets, NULL);
    return 0;
}
