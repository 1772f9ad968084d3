// Asynchronous cancellation strikes in front of any of three accesses, or behind them all.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=1000000
// expect: complete
#include <assert.h>
#include <pthread.h>

static int first, second, third;

static void *worker(void *arg) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    first = 1;
    second = 1;
    third = 1;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    return arg;
}

int main(void) {
    pthread_t thread;
    void *value;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &value);
    assert(first >= second && second >= third);
    assert(value == PTHREAD_CANCELED || third);
    return 0;
}
