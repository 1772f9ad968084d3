// A mutex is locked after it was destroyed.
// teasel: strategies=random,dfs
// expect: misuse at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_destroy(&lock);
    pthread_mutex_lock(&lock); // BUG
    return 0;
}
