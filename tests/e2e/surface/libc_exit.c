// err and error end the process from within libc: that is an exit like any other.
// teasel: strategies=random runs=100 flags=--fail-on-exit
// expect: exit
// expect: output ~ told
// expect: output ~ handler ran
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { puts("handler ran"); }

static void *ends(void *arg) {
    errx(3, "told");
    return arg;
}

int main(void) {
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, NULL, ends, NULL);
    pthread_join(thread, NULL);
    return 0;
}
