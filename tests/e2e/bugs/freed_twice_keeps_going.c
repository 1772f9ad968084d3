// Either free may be the second one.  A search that does not find both must not claim to be complete.
// teasel: strategies=optimal,source,dpor-cr-sleep runs=10000 flags=--keep-going
// expect: double-free
// expect: reason ~ freed
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
