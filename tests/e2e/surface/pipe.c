// A pipe between threads: whoever reads an empty one lets the others run.
// teasel: strategies=random,dfs,optimal,source runs=500
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg) {
    char c = 0;
    assert(read(ends[0], &c, 1) == 1 && c == 'x');
    assert(read(ends[0], &c, 1) == 0); // the other end is closed
    return arg;
}

static void *writer(void *arg) {
    assert(write(ends[1], "x", 1) == 1);
    assert(close(ends[1]) == 0);
    return arg;
}

int main(void) {
    pthread_t a, b;
    assert(pipe(ends) == 0);
    assert(pthread_create(&a, NULL, reader, NULL) == 0);
    assert(pthread_create(&b, NULL, writer, NULL) == 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
