// A thread waits for a lock whose block is freed while it is locked: it goes on, into freed memory.
// teasel: strategies=optimal,source,dfs,random runs=2000 flags=--keep-going native=no
// expect: use-after-free at=BUG
#include <pthread.h>
#include <stdlib.h>

static void *wait(void *lock) {
    pthread_mutex_lock(lock); // BUG
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_t *lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, NULL);
    pthread_mutex_lock(lock);
    pthread_create(&thread, NULL, wait, lock);
    free(lock);
    pthread_join(thread, NULL);
    return 0;
}
