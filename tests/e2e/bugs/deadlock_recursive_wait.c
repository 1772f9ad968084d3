// A wait gives up one level of a recursive mutex: locked twice it stays locked, and nobody can signal.
// teasel: strategies=dfs,optimal,source flags=--keep-going
// expect: deadlock
// expect: complete
// expect: bugs count=1
// expect: replay same
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *sets(void *arg) {
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sets, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&cond, &lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
