// Normal, recursive, errorcheck mutexes, made by attribute and by initialiser.
// teasel: strategies=random,dfs runs=500
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void make(pthread_mutex_t *mutex, int type) {
    pthread_mutexattr_t attr;
    int n;
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_settype(&attr, type) == 0);
    assert(pthread_mutexattr_gettype(&attr, &n) == 0 && n == type);
    assert(pthread_mutex_init(mutex, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);
}

// Another thread finds them locked, and may not unlock the ones that check.
static void *stranger(void *arg) {
    assert(pthread_mutex_trylock(&plain) == EBUSY);
    assert(pthread_mutex_trylock(&recursive) == EBUSY);
    assert(pthread_mutex_trylock(&errorcheck) == EBUSY);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_unlock(&errorcheck) == EPERM);
    return arg;
}

static void exercise(void) {
    pthread_t thread;
    assert(pthread_mutex_lock(&plain) == 0);
    assert(pthread_mutex_trylock(&plain) == EBUSY); // also for the owner

    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_trylock(&recursive) == 0);

    assert(pthread_mutex_lock(&errorcheck) == 0);
    assert(pthread_mutex_lock(&errorcheck) == EDEADLK);
    assert(pthread_mutex_trylock(&errorcheck) == EBUSY);

    assert(pthread_create(&thread, NULL, stranger, NULL) == 0);
    assert(pthread_join(thread, NULL) == 0);

    assert(pthread_mutex_unlock(&plain) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_unlock(&errorcheck) == 0);
    assert(pthread_mutex_unlock(&errorcheck) == EPERM);
}

int main(void) {
    exercise();
    assert(pthread_mutex_destroy(&plain) == 0);
    assert(pthread_mutex_destroy(&recursive) == 0);
    assert(pthread_mutex_destroy(&errorcheck) == 0);
    make(&plain, PTHREAD_MUTEX_NORMAL);
    make(&recursive, PTHREAD_MUTEX_RECURSIVE);
    make(&errorcheck, PTHREAD_MUTEX_ERRORCHECK);
    exercise();
    assert(pthread_mutex_destroy(&plain) == 0);
    assert(pthread_mutex_init(&plain, NULL) == 0);
    assert(pthread_mutex_lock(&plain) == 0);
    assert(pthread_mutex_unlock(&plain) == 0);
    return 0;
}
