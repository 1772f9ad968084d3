// A sleep is no synchronisation: the thread that sleeps less can come last.
// teasel: strategies=random,dfs runs=500
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static _Atomic int ready;

static void *setter(void *arg) {
    ready = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    sleep(10);
    assert(ready); // BUG
    pthread_join(thread, NULL);
    return 0;
}
