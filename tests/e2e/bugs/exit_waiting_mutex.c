// main returns while a thread waits for a mutex: a note, no deadlock.
//
// teasel: strategies=optimal,dfs,random runs=200
// expect: clean
// expect: note ~ when the program ended
// expect: complete on=optimal,dfs
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *arg) {
    pthread_mutex_lock(&mutex);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, waits, NULL);
    return 0;
}
