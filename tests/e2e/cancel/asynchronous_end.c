// A request that comes behind the last access still strikes: before the thread ends, exits, or can't be struck any more.
// teasel: strategies=optimal,source,dfs runs=20000 flags=--keep-going
// expect: complete
// expect: assertion at=BUG
// expect: bugs count=4
#include <assert.h>
#include <pthread.h>
#include <teasel.h>

static volatile int steps;

static void begin(void) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    steps = 1;
}

static void *ends(void *arg) {
    begin();
    return arg;
}

static void *exits(void *arg) {
    begin();
    pthread_exit(arg);
}

static void *defers(void *arg) {
    begin();
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    steps = 2;
    return arg;
}

static void *disables(void *arg) {
    begin();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    steps = 2;
    return arg;
}

static void *(*const ways[])(void *) = {ends, exits, defers, disables};

int main(void) {
    pthread_t thread;
    void *value;
    int way = TEASEL_CHOOSE(4);
    pthread_create(&thread, NULL, ways[way], NULL);
    pthread_cancel(thread);
    pthread_join(thread, &value);
    int struck_behind = steps == 1 && value == PTHREAD_CANCELED;
    assert(steps < 2 || value != PTHREAD_CANCELED);
    assert(!struck_behind || way != 0); // BUG
    assert(!struck_behind || way != 1); // BUG
    assert(!struck_behind || way != 2); // BUG
    assert(!struck_behind || way != 3); // BUG
    return 0;
}
