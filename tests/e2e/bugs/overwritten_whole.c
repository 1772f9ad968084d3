// A mutex is cleared by plain stores beside a thread that locks it: before, between lock and unlock, or behind them.
// teasel: strategies=optimal,source,dpor,dfs flags=--keep-going native=no
// expect: misuse at=BUG_UNLOCK ~ nobody holds
// expect: complete
// expect: replay same
#include <pthread.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *locks(void *arg) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex); // BUG_UNLOCK
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, locks, NULL);
    memset(&mutex, 0, sizeof mutex);
    pthread_join(thread, NULL);
    return 0;
}
