// A handler of exit waits for a lock that another thread holds, and gets it.
// teasel: strategies=optimal,source,dfs,random runs=100000
// expect: clean
// expect: complete on=optimal,source,dfs
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void look(void) { work(NULL); }

int main(void) {
    pthread_t thread;
    atexit(look);
    pthread_create(&thread, NULL, work, NULL);
    exit(0);
}
