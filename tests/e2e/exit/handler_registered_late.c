// Whether a handler that a thread registers is called depends on who is first: main has returned, or not yet.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=100000 flags=--fail-on-exit,--keep-going
// expect: complete
// expect: exit
// expect: bugs count=2
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void last(void) { _exit(2); }

static void *work(void *arg) {
    atexit(last);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    return 1;
}
