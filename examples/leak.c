// Leak: a block lost only when two threads meet.
//
//     teasel test --leaks examples/leak.c
//
// Both threads find no buffer and both make one; the first is overwritten.  Leaks are
// looked for only when asked, at the end of each run.
//
// teasel: strategies=random,dfs runs=10000 flags=--leaks
// expect: leak at=BUG
// expect: race ~ `buffer`
#include <pthread.h>
#include <stdlib.h>

static char *buffer;

static void *prepare(void *arg) {
    if (!buffer)
        buffer = malloc(64); // BUG
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, prepare, NULL);
    pthread_create(&b, NULL, prepare, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(buffer);
    return 0;
}
