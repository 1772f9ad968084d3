// Data race.
//
//     teasel test examples/data_race.c
//
// One thread looks under a lock whether the work is done, the other one says so without
// it.  Every run ends well, and still nothing orders the write of `done` and the read of
// it: the compiler and the processor may do what they like with them.  Teasel reports both
// places and what each thread held, and goes on to the end of the search.
//
//     teasel replay teasel-out/data_race-1.replay
//
// shows the two accesses, one right behind the other.
//
// teasel: strategies=optimal,random,dfs runs=5000
// expect: race at=BUG ~ `done`
// expect: races count=1
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *look(void *arg) {
    pthread_mutex_lock(&lock);
    int was = done; // BUG
    pthread_mutex_unlock(&lock);
    return was ? arg : NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    done = 1; // BUG: without the lock
    pthread_join(thread, NULL);
    return 0;
}
