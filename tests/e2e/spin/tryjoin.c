// A loop that asks whether a thread has ended. That the thread ends between the question and the end of the round
// is no livelock, and what comes behind the loop is found in the runs in which it was asked later.
// teasel: strategies=dfs,optimal,source,dpor,dpor-cr,raceflip,raceflip-opt,portfolio,random runs=1000
// expect: clean
// expect: executions optimal=3 source=3
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void *worker(void *arg) { return arg; }

int main(void) {
    pthread_t t;
    void *result;
    int error;
    pthread_create(&t, NULL, worker, &t);
    while ((error = pthread_tryjoin_np(t, &result)) != 0) {
        assert(error == EBUSY);
        struct timespec moment = {.tv_nsec = 10000000};
        nanosleep(&moment, NULL);
    }
    assert(result == &t);
    return 0;
}
