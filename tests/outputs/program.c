// Writes everything there is to write: a bug for a replay, inputs for paths, branches for coverage.
#include <assert.h>
#include <pthread.h>

#include "teasel.h"

static int n;

static void *add(void *arg) {
    n = n + 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    int x = teasel_int("x");
    if (x * 3 == 21)
        n = 5;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(n != 1);
    return 0;
}
