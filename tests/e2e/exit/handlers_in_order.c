// Handlers run in the opposite order of their registration, and who registered first is explored.
// teasel: strategies=optimal,source,dfs runs=100000
// expect: assertion at=BUG
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int last;

static void one(void) { last = 1; }
static void two(void) { last = 2; }
static void look(void) {
    assert(last == 2); // BUG
}

static void *add(void *arg) {
    atexit(arg ? one : two);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    atexit(look);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, &a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
