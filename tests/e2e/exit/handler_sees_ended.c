// A handler looks at what a thread does that nobody waits for.  In most runs the thread has ended by then; that it
// may also be in the middle of its work must be seen all the same.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=100000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static _Atomic int begun, done;

static void look(void) {
    assert(!begun || done); // BUG
}

static void *nothing(void *arg) { return arg; }

static void *work(void *arg) {
    begun = 1;
    done = 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    atexit(look);
    pthread_create(&a, NULL, nothing, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    return 0;
}
