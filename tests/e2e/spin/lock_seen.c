// Somebody finds the lock of a polling thread taken, and the thread polls on: that must be seen.
// teasel: strategies=optimal,dfs,dpor,source,random runs=300000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, busy;

static void *waits(void *arg) {
    (void)arg;
    int now;
    do {
        pthread_mutex_lock(&m);
        now = ready;
        pthread_mutex_unlock(&m);
    } while (!now);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    if (pthread_mutex_trylock(&m) == 0)
        pthread_mutex_unlock(&m);
    else
        busy = 1;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(!busy); // BUG
    return 0;
}
