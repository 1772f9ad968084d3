// Threads go on while handlers of exit run: a handler may stop a thread and wait for its end.
// teasel: strategies=optimal,source,dfs,random runs=100000
// expect: clean
// expect: complete on=optimal,source,dfs
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static int stop;

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void quit(void) {
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

int main(void) {
    atexit(quit);
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
