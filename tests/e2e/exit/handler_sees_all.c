// The handler of exit runs after main has waited for the thread: there is only one way.
// teasel: strategies=optimal,source,dfs runs=100000
// expect: complete
// expect: executions optimal=1 source=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;

static void look(void) { assert(done); }

static void *work(void *arg) {
    done = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    atexit(look);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
