// Main has ended by pthread_exit: the last thread, whichever it is, calls exit and so the handlers.
// teasel: strategies=optimal,source,dpor-cr-sleep runs=100000 flags=--fail-on-exit,--keep-going
// expect: complete
// expect: exit
// expect: bugs count=1
// expect: message ~ status 7
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int ended;

static void last(void) { _exit(ended == 2 ? 7 : 8); }

static void *work(void *arg) {
    ended++;
    return arg;
}

int main(void) {
    pthread_t thread;
    atexit(last);
    pthread_create(&thread, NULL, work, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_exit(NULL);
}
