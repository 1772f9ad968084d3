// ftrylockfile never waits.
//
// teasel: strategies=optimal,source
// expect: clean
// expect: complete
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int inside;

static void *tries(void *arg) {
    if (ftrylockfile(stdout) == 0) {
        assert(inside++ == 0);
        assert(--inside == 0);
        funlockfile(stdout);
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, tries, NULL);
    pthread_create(&b, NULL, tries, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
