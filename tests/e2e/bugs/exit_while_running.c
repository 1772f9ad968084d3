// exit() in a thread while main waits for it: an ordinary end, no deadlock.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
    (void)arg;
    exit(0);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 1;
}
