// The reader may come after the free.
// teasel: strategies=random,dfs runs=2000 flags=--keep-going
// expect: use-after-free at=BUG
// expect: race ~ free
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *reader(void *arg) {
    int value = *shared; // BUG
    return value == 5 ? arg : NULL;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    *shared = 5;
    pthread_create(&thread, NULL, reader, NULL);
    free(shared);
    pthread_join(thread, NULL);
    return 0;
}
