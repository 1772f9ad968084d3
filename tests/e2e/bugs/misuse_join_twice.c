// A thread is joined twice.
// teasel: strategies=random,dfs
// expect: misuse at=BUG
#include <pthread.h>

static void *worker(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    pthread_join(thread, NULL); // BUG
    return 0;
}
