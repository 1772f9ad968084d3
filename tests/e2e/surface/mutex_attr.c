// pthread_mutexattr_*: what is set is read back, nonsense is refused.
// teasel: strategies=random,dfs runs=100
// expect: complete on=dfs
// expect: executions dfs=1
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    pthread_mutexattr_t attr;
    pthread_mutex_t mutex;
    int n;
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_gettype(&attr, &n) == 0 && n == PTHREAD_MUTEX_DEFAULT);
    assert(pthread_mutexattr_settype(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_gettype(&attr, &n) == 0 && n == PTHREAD_MUTEX_RECURSIVE);

    assert(pthread_mutexattr_getrobust(&attr, &n) == 0 && n == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setrobust(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust(&attr, &n) == 0 && n == PTHREAD_MUTEX_ROBUST);

    assert(pthread_mutexattr_getpshared(&attr, &n) == 0 && n == PTHREAD_PROCESS_PRIVATE);
    assert(pthread_mutexattr_setpshared(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_getpshared(&attr, &n) == 0 && n == PTHREAD_PROCESS_SHARED);

    assert(pthread_mutexattr_getprotocol(&attr, &n) == 0 && n == PTHREAD_PRIO_NONE);
    assert(pthread_mutexattr_setprotocol(&attr, 99) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_getprotocol(&attr, &n) == 0 && n == PTHREAD_PRIO_INHERIT);

    // The type and robustness arrive in the mutex.
    assert(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_NONE) == 0);
    assert(pthread_mutex_init(&mutex, &attr) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_consistent(&mutex) == EINVAL); // nobody died
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_destroy(&mutex) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);
    return 0;
}
