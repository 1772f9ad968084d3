// A handler of exit runs beside the threads that are still there, so it races with them.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=100000
// expect: complete
// expect: race at=BUG
#include <pthread.h>
#include <stdlib.h>

static int count;

static void *work(void *arg) {
    count++; // BUG
    return arg;
}

static void last(void) {
    count++; // BUG
}

int main(void) {
    pthread_t thread;
    atexit(last);
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
