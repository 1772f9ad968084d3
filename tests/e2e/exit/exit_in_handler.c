// exit in a handler goes on with the handlers that are left, and its status counts.
// teasel: strategies=optimal,random runs=100 flags=--fail-on-exit
// expect: exit
// expect: output ~ second\nfirst
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void first(void) { puts("first"); }

static void second(void) {
    puts("second");
    exit(7);
}

static void *work(void *arg) { return arg; }

int main(void) {
    pthread_t thread;
    atexit(first);
    atexit(second);
    pthread_create(&thread, NULL, work, NULL);
    return 0;
}
