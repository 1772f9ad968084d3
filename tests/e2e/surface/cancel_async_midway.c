// Asynchronous cancellation may strike between any two accesses.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>

static volatile int first, second;

static void *worker(void *arg) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    first = 1;
    second = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    assert(first == second); // BUG
    return 0;
}
