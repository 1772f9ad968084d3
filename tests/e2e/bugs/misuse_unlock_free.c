// A mutex that nobody holds is unlocked.
// teasel: strategies=random,dfs
// expect: misuse at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock); // BUG
    return 0;
}
