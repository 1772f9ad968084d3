// pthread_cond_wait with a mutex that the thread does not hold.
// teasel: strategies=random,dfs
// expect: misuse at=BUG
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void) {
    pthread_cond_wait(&cond, &lock); // BUG
    return 0;
}
