// Output is captured: stdout, stderr, write.  Streams start afresh in every run.
// teasel: strategies=random runs=200
// expect: assertion at=BUG
// expect: output ~ from thread 2
// expect: output ~ to stderr
// expect: output ~ written 3
// expect: output ~ no newline at the end
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *worker(void *arg) {
    printf("from thread %d\n", (int)(intptr_t)arg);
    fprintf(stderr, "to stderr\n");
    return NULL;
}

int main(void) {
    pthread_t a, b;
    char line[64];
    pthread_create(&a, NULL, worker, (void *)1);
    pthread_create(&b, NULL, worker, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    snprintf(line, sizeof line, "%s %d\n", "written", 3);
    assert(write(1, line, strlen(line)) == (ssize_t)strlen(line));
    printf("no newline at the end");
    fflush(stdout);
    abort(); // BUG
}
