// pthread_once: once, and everybody waits until it is done.
// teasel: strategies=random,dfs runs=1000
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_once_t other = PTHREAD_ONCE_INIT;
static int calls, ready, inner;

static void nested(void) { inner++; }

static void setup(void) {
    calls++;
    sched_yield();
    assert(pthread_once(&other, nested) == 0);
    ready = 1;
}

static void *worker(void *arg) {
    assert(pthread_once(&control, setup) == 0);
    assert(ready == 1 && inner == 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    assert(pthread_once(&control, setup) == 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(calls == 1);
    return 0;
}
