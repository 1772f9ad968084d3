// Two threads both find the block there and free it.
// teasel: strategies=random,dfs runs=5000
// expect: double-free at=BUG
// expect: race ~ `block`
#include <pthread.h>
#include <stdlib.h>

static char *block;

static void *drop(void *arg) {
    char *mine = block;
    if (mine) {
        block = NULL;
        free(mine); // BUG
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    block = malloc(10);
    pthread_create(&a, NULL, drop, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
