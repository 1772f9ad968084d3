// teasel: strategies=optimal,source runs=2000 flags=--run-seconds,2
// expect: clean
// expect: complete
//
// fflush(NULL) waits for a full pipe while another thread opens a stream, and has data of libc of its own: libc's list
// of streams must not be held meanwhile.
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FULL = 65536, MORE = 1000 };
static int ends[2];
static char data[FULL];

static void *flush(void *unused) {
    if (fflush(NULL) != 0)
        abort();
    return unused;
}

static void *opens(void *unused) {
    int *volatile error = &errno;
    uselocale(LC_GLOBAL_LOCALE);
    FILE *file = fopen("/dev/null", "r");
    if (!file || error != &errno)
        abort();
    fclose(file);
    return unused;
}

static void *drain(void *unused) {
    static char to[FULL];
    for (ssize_t all = 0, got = 1; all < FULL + MORE && got > 0; all += got)
        got = read(ends[0], to, sizeof to);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    if (pipe(ends) != 0 || write(ends[1], data, FULL) != FULL)
        abort();
    FILE *file = fdopen(ends[1], "w");
    fwrite(data, 1, MORE, file);
    pthread_create(&threads[0], NULL, flush, NULL);
    pthread_create(&threads[1], NULL, opens, NULL);
    pthread_create(&threads[2], NULL, drain, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
