// pthread_tryjoin_np: "it has ended" is reachable.
// teasel: strategies=random,dfs runs=500
// expect: assertion at=BUG
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *worker(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    assert(pthread_tryjoin_np(thread, NULL) == EBUSY); // BUG
    pthread_join(thread, NULL);
    return 0;
}
