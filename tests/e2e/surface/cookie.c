// A stream whose writing is a function of the program: libc lets only one thread into the stream, also while that function waits.
// teasel: strategies=optimal,random runs=300
// expect: clean
// expect: verdict optimal=complete
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *stream;
static char text[16];
static size_t length;
static int calls;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static ssize_t append(void *cookie, const char *from, size_t n) {
    pthread_mutex_lock(cookie);
    calls++;
    pthread_mutex_unlock(cookie);
    memcpy(text + length, from, n); // no lock but that of the stream
    length += n;
    return (ssize_t)n;
}

static void *print(void *word) {
    fputs(word, stream);
    fflush(stream);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    cookie_io_functions_t functions = {.write = append};
    stream = fopencookie(&mutex, "w", functions);
    pthread_create(&a, NULL, print, "ab");
    pthread_create(&b, NULL, print, "cd");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    fclose(stream);
    assert(length == 4 && calls >= 1);
    return 0;
}
