// Polling under a mutex, and under a read lock.
// teasel: strategies=optimal,dfs,dpor,random runs=300000
// expect: clean on=random
// expect: complete on=optimal,dfs,dpor
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static bool ready, done;

static void *waits(void *arg) {
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&m);
        bool now = ready;
        pthread_mutex_unlock(&m);
        if (now)
            break;
        usleep(1000);
    }
    for (bool now = false; !now;) {
        pthread_rwlock_rdlock(&rw);
        now = done;
        pthread_rwlock_unlock(&rw);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    pthread_mutex_lock(&m);
    ready = true;
    pthread_mutex_unlock(&m);
    pthread_rwlock_wrlock(&rw);
    done = true;
    pthread_rwlock_unlock(&rw);
    pthread_join(t, NULL);
    return 0;
}
