// sscanf stores what it converts: an access of another thread races with it.
// teasel: strategies=optimal,dfs runs=2000 flags=--keep-going
// expect: race at=BUG_RACE
// expect: assertion at=BUG_FOUND
// expect: complete on=optimal,dfs
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int number, other;

static void *scans(void *text) {
    sscanf(text, "%d %d", &other, &number); // BUG_RACE
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, scans, "3 4");
    assert(number == 0); // BUG_FOUND // BUG_RACE
    pthread_join(t, NULL);
    return 0;
}
