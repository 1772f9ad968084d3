// A plain access of another thread does not come between the accesses of a section.
// teasel: strategies=optimal,source,dfs runs=30000 native=no
// expect: race
#include <pthread.h>
#include <stdlib.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x;

static void *one(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    x = 2;
    __VERIFIER_atomic_end();
    return arg;
}

static void *two(void *arg) {
    int seen = x;
    TEASEL_ASSERT(seen != 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    TEASEL_ASSERT(x == 2);
    return 0;
}
