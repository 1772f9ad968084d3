// pthread_create, join, exit, self, equal.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

static pthread_t seen[2];

static void leave_early(intptr_t value) { pthread_exit((void *)(value * 10)); }

static void *by_return(void *arg) {
    seen[0] = pthread_self();
    return arg;
}

static void *by_exit(void *arg) {
    seen[1] = pthread_self();
    leave_early((intptr_t)arg);
    return NULL;
}

static void *nested(void *arg) {
    pthread_t child;
    void *value;
    assert(pthread_create(&child, NULL, by_exit, arg) == 0);
    assert(!pthread_equal(child, pthread_self()));
    assert(pthread_join(child, &value) == 0);
    return (void *)((intptr_t)value + 1);
}

int main(void) {
    pthread_t a, b;
    void *value;

    assert(pthread_equal(pthread_self(), pthread_self()));

    assert(pthread_create(&a, NULL, by_return, (void *)7) == 0);
    assert(pthread_create(&b, NULL, nested, (void *)4) == 0);
    assert(!pthread_equal(a, b));
    assert(!pthread_equal(a, pthread_self()));
    assert(pthread_join(a, &value) == 0);
    assert((intptr_t)value == 7);
    assert(pthread_join(b, &value) == 0);
    assert((intptr_t)value == 41);
    assert(pthread_equal(seen[0], a));
    assert(!pthread_equal(seen[1], b));

    // A thread may not wait for itself.
    assert(pthread_join(pthread_self(), NULL) == EDEADLK);
    return 0;
}
