// Streams on pipes and sockets between threads: a call that has to wait lets the others run, and keeps the stream to itself.
// teasel: strategies=optimal,random runs=3000
// expect: complete on=optimal
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int there[2], back[2], pair[2];

static void *echo(void *arg) {
    FILE *in = fdopen(there[0], "r"), *out = fdopen(back[1], "w");
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, in) > 0) {
        fputs(line, out);
        fflush(out);
    }
    free(line);
    fclose(in);
    fclose(out);
    return arg;
}

static void *answer(void *arg) {
    FILE *f = fdopen(pair[1], "r+");
    char word[16];
    assert(fgets(word, sizeof word, f));
    fprintf(f, "%zu\n", strlen(word));
    fclose(f);
    return arg;
}

int main(void) {
    pthread_t a, b;
    assert(!pipe(there) && !pipe(back) && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    pthread_create(&a, NULL, echo, NULL);
    pthread_create(&b, NULL, answer, NULL);
    FILE *out = fdopen(there[1], "w"), *in = fdopen(back[0], "r"), *f = fdopen(pair[0], "r+");
    int number, length;
    fprintf(out, "4");
    fflush(out);
    fprintf(out, "2\n");
    fflush(out);
    assert(fileno(in) == back[0] && fscanf(in, "%d", &number) == 1 && number == 42);
    fputs("word\n", f);
    fflush(f);
    assert(fscanf(f, "%d", &length) == 1 && length == 5);
    fclose(out);
    assert(getc(in) == '\n' && getc(in) == EOF && feof(in));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fclose(in);
    fclose(f);
    return 0;
}
