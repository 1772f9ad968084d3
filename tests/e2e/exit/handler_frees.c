// A handler of exit frees what a thread still uses: the thread runs until the process has ended.
// teasel: strategies=optimal,source,dfs,random runs=100000
// expect: use-after-free at=BUG
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *count;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    ++*count; // BUG
    pthread_mutex_unlock(&lock);
    return arg;
}

static void quit(void) {
    pthread_mutex_lock(&lock);
    free(count);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t thread;
    count = calloc(1, sizeof *count);
    atexit(quit);
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
