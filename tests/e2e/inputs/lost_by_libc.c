// Functions of libc that take inputs as they are, by a pointer behind a pointer, as a name, as what a function of the program returns, or for a
// stream in memory: what is lost is said.
// teasel: strategies=paths,optimal flags=-n,50 native=no
// expect: reason ~ concretised
// expect: note ~ getopt reads memory that depends on inputs as it is
// expect: note ~ hsearch reads memory that depends on inputs as it is
// expect: note ~ getenv reads memory that depends on inputs as it is
// expect: note ~ secure_getenv reads memory that depends on inputs as it is
// expect: note ~ access reads memory that depends on inputs as it is
// expect: note ~ lfind takes what a function of the program returns, which depends on inputs, as it is
// expect: note ~ a function of libc reads memory that depends on inputs as it is
// expect: note ~ what depends on inputs was printed into memory, and is a plain number there
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "teasel.h"

static int differ(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(void) {
    char text[2] = {0}, letters[3] = "ab", *words[] = {"program", text, NULL}, *out;
    size_t n = 3, length;
    text[0] = teasel_char("a");
    struct timespec time = {0, text[0]};
    int found = getopt(2, words, "q") == 'q' || lfind(text, letters, &n, 1, differ) == letters + 1;
    found += getenv(text) || secure_getenv(text) || access(text, F_OK) == 0;
    hcreate(4);
    found += hsearch((ENTRY){.key = text}, FIND) != NULL;
    FILE *stream = open_memstream(&out, &length);
    fprintf(stream, "%s", text);
    fclose(stream);
    nanosleep(&time, NULL);
    return found + out[0] == 7;
}
