// Threads that allocate, print and read a file: their runs call code that is not instrumented.  The
// file is not closed and the memory not freed, so that the restart has to do it.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *worker(void *arg) {
    char *copy = malloc(4096);
    int fd = open("/proc/self/cmdline", O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, copy, 4095);
    memset(copy, 'x', 64);
    printf("%s read %s\n", (const char *)arg, n > 0 ? "something" : "nothing");
    return n > 0 ? arg : NULL;
}

int main(void) {
    pthread_t a, b;
    void *first, *second;
    pthread_create(&a, NULL, worker, "one");
    pthread_create(&b, NULL, worker, "two");
    pthread_join(a, &first);
    pthread_join(b, &second);
    return first && second ? 0 : 1;
}
