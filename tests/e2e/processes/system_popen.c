// system and popen in two threads: the parent stays whole.
//
// teasel: strategies=random runs=20
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *calls(void *arg) {
    assert(system("true") == 0);
    return arg;
}

static void *reads(void *arg) {
    char line[8] = "";
    FILE *pipe = popen("echo hi", "r");
    assert(pipe && fgets(line, sizeof line, pipe) && line[0] == 'h');
    assert(pclose(pipe) == 0);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, calls, NULL);
    pthread_create(&b, NULL, reads, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
