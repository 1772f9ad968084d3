// main returns while a thread waits in a loop: a note, no livelock, as with a mutex.
//
// teasel: strategies=optimal,dfs,random runs=200
// expect: clean
// expect: note ~ when the program ended
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock = 1;

static void *waits(void *arg) {
    while (atomic_exchange(&lock, 1)) {
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    return 0;
}
