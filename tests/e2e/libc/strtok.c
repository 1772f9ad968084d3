// What strtok remembers is shared by all threads: one of them goes on in the other's string.
// teasel: strategies=optimal,dfs runs=20000 flags=--keep-going
// expect: race at=BUG_FIRST,BUG_OTHER ~ what strtok remembers
// expect: race at=BUG_SECOND,BUG_OTHER ~ what strtok remembers
// expect: assertion at=BUG_FOUND
// expect: complete on=optimal,dfs
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[] = "a b", other_text[] = "c d";

static void *splits(void *arg) {
    const char *second;
    strtok(text, " ");          // BUG_FIRST
    second = strtok(NULL, " "); // BUG_SECOND
    assert(second == text + 2); // BUG_FOUND
    return arg;
}

static void *splits_another(void *arg) {
    strtok(other_text, " "); // BUG_OTHER
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, splits, NULL);
    pthread_create(&b, NULL, splits_another, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
