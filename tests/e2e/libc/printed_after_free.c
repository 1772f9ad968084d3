// printf reads the strings that it is given.
// teasel: strategies=optimal,dfs runs=2000
// expect: use-after-free at=BUG
// expect: race at=13,21
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *name;

static void *prints(void *arg) {
    printf("%d %s\n", 3, name); // BUG
    return arg;
}

int main(void) {
    pthread_t t;
    name = strdup("somebody");
    pthread_create(&t, NULL, prints, NULL);
    free(name);
    pthread_join(t, NULL);
    return 0;
}
