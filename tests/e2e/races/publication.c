// A block is filled and published through a plain pointer.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: race at=BUG ~ `published`
// expect: races count=1
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stdlib.h>

static int *published;

static void *publisher(void *arg) {
    int *block = malloc(sizeof *block);
    *block = 7;
    published = block; // BUG
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, publisher, NULL);
    int *seen = published; // BUG
    int ok = !seen || *seen == 7;
    pthread_join(a, NULL);
    free(published);
    return !ok;
}
