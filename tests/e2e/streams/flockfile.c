// flockfile excludes other threads, counts how often it was called, and printing waits for it.
//
// teasel: strategies=optimal,source,random runs=500
// expect: clean
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *file;
static int inside;

static void *prints(void *arg) {
    flockfile(file);
    flockfile(file);
    assert(inside++ == 0);
    fputs(arg, file);
    assert(--inside == 0);
    funlockfile(file);
    fprintf(file, "%s", (char *)arg);
    funlockfile(file);
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
    assert(!strcmp(text, "aabb") || !strcmp(text, "bbaa"));
    return 0;
}
