// teasel: strategies=optimal,source,dfs runs=3000 flags=--keep-going
// expect: assertion at=BUG_FIRST
// expect: assertion at=BUG_SECOND
//
// Two threads append to one file, each through a stream of its own, and nothing in the program uses descriptors: who comes first
// is seen by whoever reads the file.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *streams[2];

static void *add(void *letter) {
    FILE *mine = streams[letter == (void *)1];
    fputs(letter ? "1" : "0", mine);
    fflush(mine);
    return letter;
}

int main(void) {
    char name[] = "two_on_a_file.txt";
    FILE *made = fopen(name, "w"), *file = fopen(name, "r");
    streams[0] = fopen(name, "a");
    streams[1] = fopen(name, "a");
    if (!made || !file || !streams[0] || !streams[1])
        return 2;
    remove(name);
    pthread_t thread;
    pthread_create(&thread, NULL, add, (void *)1);
    add(NULL);
    pthread_join(thread, NULL);
    int first = fgetc(file), second = fgetc(file);
    if (first == '0')
        assert(second == '0'); // BUG_FIRST
    else
        assert(second == '1'); // BUG_SECOND
    return 0;
}
