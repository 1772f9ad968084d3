// pthread_timedjoin_np: the end of the thread is reachable.
// teasel: strategies=random,dfs runs=500
// expect: assertion at=BUG
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *worker(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    struct timespec until;
    pthread_create(&thread, NULL, worker, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    assert(pthread_timedjoin_np(thread, NULL, &until) == ETIMEDOUT); // BUG
    return 0;
}
