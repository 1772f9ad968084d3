// teasel: strategies=optimal,source,dfs runs=3000 flags=--keep-going
// expect: assertion at=BUG_LATE
// expect: assertion at=BUG_EARLY
//
// Which of two streams has which number depends on who was opened first, as soon as somebody asks for the number.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *streams[2];

static void *open_one(void *second) {
    streams[second != NULL] = fopen("/etc/passwd", "r");
    return second;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, open_one, streams);
    open_one(NULL);
    pthread_join(thread, NULL);
    if (fileno(streams[0]) < fileno(streams[1]))
        assert(!streams[0]); // BUG_EARLY
    else
        assert(!streams[0]); // BUG_LATE
    return 0;
}
