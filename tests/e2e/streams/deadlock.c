// Two streams are locked in two orders, and a printing thread waits for one that is never given back.
//
// teasel: strategies=optimal,source
// expect: deadlock
// expect: replay same
#include <pthread.h>
#include <stdio.h>

static void *other_way(void *arg) {
    (void)arg;
    flockfile(stderr);
    fputs("x", stdout);
    funlockfile(stderr);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other_way, NULL);
    flockfile(stdout);
    fputs("y", stderr);
    funlockfile(stdout);
    pthread_join(thread, NULL);
    return 0;
}
