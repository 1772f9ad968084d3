// A failed assert, in a helper, in a thread.
// teasel: strategies=random,dfs
// expect: assertion at=BUG
// expect: message ~ value < 3
#include <assert.h>
#include <pthread.h>

static void check(int value) {
    assert(value < 3); // BUG
}

static void *worker(void *arg) {
    for (int i = 0; i < 5; i++)
        check(i);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
