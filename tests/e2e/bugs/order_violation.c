// The worker relies on its creator having stored the handle already.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
// expect: race ~ `handle`
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int *handle;
static int value = 1;

static void *worker(void *arg) {
    assert(handle != NULL); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    handle = &value;
    pthread_join(thread, NULL);
    return 0;
}
