// What a handler of exit sees depends on how far a thread has come that nobody waits for.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=100000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static _Atomic int begun, done;

static void look(void) {
    assert(begun == done); // BUG
}

static void *work(void *arg) {
    begun = 1;
    done = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    atexit(look);
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
