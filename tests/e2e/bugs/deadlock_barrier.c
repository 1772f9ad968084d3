// A barrier for three, and two come.
// teasel: strategies=random,dfs runs=500
// expect: deadlock at=BUG
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *arg) {
    pthread_barrier_wait(&barrier); // BUG
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_barrier_init(&barrier, NULL, 3);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_barrier_wait(&barrier); // BUG
    pthread_join(thread, NULL);
    return 0;
}
