// Without the lock the two halves of a line come apart.
//
// teasel: strategies=optimal,source
// expect: assertion at=BUG
// expect: replay same
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *file;

static void *prints(void *arg) {
    flockfile(file);
    fputs(arg, file);
    funlockfile(file);
    fputs(arg, file);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    char *text = NULL;
    size_t size = 0;
    file = open_memstream(&text, &size);
    pthread_create(&a, NULL, prints, "a");
    pthread_create(&b, NULL, prints, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fclose(file);
    assert(!strcmp(text, "aabb") || !strcmp(text, "bbaa")); // BUG
    return 0;
}
