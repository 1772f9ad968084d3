// A normal mutex locked twice by the same thread.
// teasel: strategies=random,dfs
// expect: misuse at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void helper(void) {
    pthread_mutex_lock(&lock); // BUG
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_mutex_lock(&lock);
    helper();
    pthread_mutex_unlock(&lock);
    return 0;
}
