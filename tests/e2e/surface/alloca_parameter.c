// Memory on the stack whose size is a parameter, asked for before anything else is done: at the top of a function, twice,
// as an array, of a size that is an input.
// teasel: strategies=optimal cflags=-O1
// expect: clean
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int at_once(size_t n) {
    char *p = alloca(n);
    memset(p, 1, n);
    return p[n / 2];
}

static int twice(size_t n, size_t m) {
    char *p = alloca(n), *q = alloca(m);
    memset(p, 1, n);
    memset(q, 2, m);
    return p[n - 1] + q[m - 1];
}

static long an_array(size_t n, int last) {
    long a[n];
    memset(a, 0, sizeof a);
    a[n - 1] = last;
    return a[n - 1];
}

static void *thread(void *arg) {
    assert(at_once(6u << 20) == 1);
    assert(twice(100, 3) == 3);
    assert(an_array(1000, 7) == 7);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    pthread_join(t, NULL);
    return 0;
}
