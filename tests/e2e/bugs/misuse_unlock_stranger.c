// A thread unlocks a mutex that another one holds.
// teasel: strategies=random,dfs
// expect: misuse at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *stranger(void *arg) {
    pthread_mutex_unlock(&lock); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, stranger, NULL);
    pthread_join(thread, NULL);
    return 0;
}
