// Two threads take lines from one stream: who gets which is explored.
// teasel: strategies=optimal,dfs runs=5000
// expect: assertion at=BUG_FOUND
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *takes(void *file) {
    char line[8];
    fgets(line, sizeof line, file);
    assert(line[0] == 'a'); // BUG_FOUND
    return NULL;
}

static void *drops(void *file) {
    fgetc(file);
    fgetc(file);
    return NULL;
}

int main(void) {
    FILE *file = tmpfile();
    fputs("a\nb\n", file);
    rewind(file);
    pthread_t a, b;
    pthread_create(&a, NULL, takes, file);
    pthread_create(&b, NULL, drops, file);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fclose(file);
    return 0;
}
