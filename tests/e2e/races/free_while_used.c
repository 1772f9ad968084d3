// One thread frees what another still reads.
// teasel: strategies=optimal,random runs=2000 flags=--keep-going
// expect: race at=BUG,BUG_FREE ~ free
// expect: use-after-free at=BUG
// expect: races count=1
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *arg) {
    int *block = arg;
    return *block == 3 ? block : NULL; // BUG
}

int main(void) {
    pthread_t a;
    int *block = malloc(sizeof *block);
    *block = 3;
    pthread_create(&a, NULL, reader, block);
    if (*block)
        free(block); // BUG_FREE
    pthread_join(a, NULL);
    return 0;
}
