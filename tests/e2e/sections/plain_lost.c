// A plain increment is not one step, and loses what a section does in between.
// teasel: strategies=optimal,source,dfs runs=30000 native=no
// expect: assertion at=BUG
// expect: race
#include <pthread.h>
#include <stdlib.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void *one(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return arg;
}

static void *two(void *arg) {
    x++;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    TEASEL_ASSERT(x == 2); // BUG
    return 0;
}
