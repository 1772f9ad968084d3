// One thread waits for a flag while it holds the lock that is needed to set it.
// teasel: strategies=optimal,dfs,dpor,random runs=2000
// expect: livelock at=BUG
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;

static void *waits(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    while (!atomic_load(&flag)) // BUG
        ;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    pthread_mutex_lock(&m);
    atomic_store(&flag, 1);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
