// Either free may be the second one.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs runs=10000 flags=--keep-going
// expect: double-free at=13
// expect: double-free at=18
// expect: bugs count=2
// expect: complete
#include <pthread.h>
#include <stdlib.h>

static char *block;

static void *release(void *arg) {
    free(block);
    return arg;
}

static void *release_too(void *arg) {
    free(block);
    return arg;
}

int main(void) {
    pthread_t a, b;
    block = malloc(8);
    pthread_create(&a, NULL, release, NULL);
    pthread_create(&b, NULL, release_too, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
