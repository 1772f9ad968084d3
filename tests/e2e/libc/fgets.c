// fgets stores into the program's memory: another thread's read of it is a race, and what that thread finds there
// is explored.
// teasel: strategies=optimal,dfs,random runs=2000 flags=--keep-going
// expect: race at=BUG_RACE
// expect: assertion at=BUG_FOUND
// expect: complete on=optimal,dfs
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char line[16] = "old";

static void *reads(void *file) {
    fgets(line, sizeof line, file); // BUG_RACE
    return NULL;
}

int main(void) {
    static char text[] = "new\n";
    FILE *file = fmemopen(text, 4, "r");
    pthread_t t;
    pthread_create(&t, NULL, reads, file);
    assert(line[0] == 'o'); // BUG_FOUND // BUG_RACE
    pthread_join(t, NULL);
    fclose(file);
    return 0;
}
