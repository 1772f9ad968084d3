// A function whose name begins with __VERIFIER_atomic_ is one step.
// teasel: strategies=optimal,source,dfs runs=30000 native=no
// expect: complete
// expect: executions optimal=2
#include <pthread.h>
#include <stdlib.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int count;

int __VERIFIER_atomic_add(int by) {
    int old = count;
    count = old + by;
    return old;
}

static void *one(void *arg) {
    __VERIFIER_atomic_add(1);
    return arg;
}

static void *two(void *arg) {
    __VERIFIER_atomic_add(2);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    TEASEL_ASSERT(count == 3);
    return 0;
}
