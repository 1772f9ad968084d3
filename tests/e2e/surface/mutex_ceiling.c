// The ceiling of a mutex is set beside a thread that asks for it: no race, and not while somebody holds the mutex.
// teasel: strategies=optimal,source,dfs flags=--fail-on-exit,--keep-going native=no
// expect: complete
// expect: exit
// expect: bugs count=2
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex;

static void *sets(void *arg) {
    int old;
    pthread_mutex_setprioceiling(&mutex, 5, &old);
    return arg;
}

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attr, 3);
    pthread_mutex_init(&mutex, &attr);
    pthread_t thread;
    int ceiling, later;
    pthread_create(&thread, NULL, sets, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_getprioceiling(&mutex, &ceiling);
    pthread_mutex_getprioceiling(&mutex, &later);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    exit(ceiling * 10 + later);
}
