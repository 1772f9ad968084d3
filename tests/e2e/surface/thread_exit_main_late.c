// pthread_exit in main: what other threads do afterwards is still tested.
// teasel: strategies=random,dfs runs=500
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static void *worker(void *arg) {
    sched_yield();
    sched_yield();
    assert(arg); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}
