// A thread tests for requests after each of three writes while main cancels it: each place where the request
// can be found is a trace of its own.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=1000000
// expect: complete
// expect: executions optimal=4 source=4
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *worker(void *arg) {
    for (int i = 1; i <= 3; i++) {
        x = i;
        pthread_testcancel();
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &value);
    assert(value == PTHREAD_CANCELED ? x >= 1 && x <= 3 : x == 3);
    return 0;
}
