// A rwlock that nobody holds is unlocked.
// teasel: strategies=random,dfs
// expect: misuse at=BUG
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_unlock(&lock); // BUG
    return 0;
}
