// pthread_exit in main: the process goes on until the last thread ends.
// teasel: strategies=random,dfs runs=500
// expect: clean
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static void *worker(void *arg) {
    sched_yield();
    sched_yield();
    puts("last words");
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    pthread_exit(NULL);
}
