// A block is lost on the path where the other thread was first.
// teasel: strategies=random,dfs runs=2000 flags=--leaks
// expect: leak at=BUG
// expect: race ~ `shared`
#include <pthread.h>
#include <stdlib.h>

static char *shared;

static void *create(void *arg) {
    if (!shared)
        shared = malloc(16); // BUG
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, create, NULL);
    pthread_create(&b, NULL, create, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(shared);
    shared = NULL;
    return 0;
}
