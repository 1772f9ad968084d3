// Half a line is written, and nobody writes the rest: the reader of the stream waits for ever.
// teasel: strategies=optimal,dfs runs=200
// expect: deadlock
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg) {
    FILE *in = fdopen(ends[0], "r");
    char line[16];
    fgets(line, sizeof line, in);
    return arg;
}

int main(void) {
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, reader, NULL);
    write(ends[1], "half", 4);
    pthread_join(t, NULL);
    return 0;
}
