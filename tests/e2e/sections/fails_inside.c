// An assertion that fails inside a section.
// teasel: strategies=optimal,source,dfs runs=30000 native=no
// expect: assertion at=BUG
// expect: race
#include <pthread.h>
#include <stdlib.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void *one(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    y = x + 1;
    TEASEL_ASSERT(x + y == 3);
    __VERIFIER_atomic_end();
    x = 5;
    return arg;
}

static void *two(void *arg) {
    __VERIFIER_atomic_begin();
    int sum = x + y;
    TEASEL_ASSERT(sum != 7); // BUG
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    ;
    return 0;
}
