// Sections in sections end with the outermost.
// teasel: strategies=optimal,source,dfs runs=30000 native=no
// expect: complete
#include <pthread.h>
#include <stdlib.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

void __VERIFIER_atomic_inner(void) { x++; }

static void *one(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_inner();
    y++;
    __VERIFIER_atomic_end();
    return arg;
}

static void *two(void *arg) {
    __VERIFIER_atomic_begin();
    TEASEL_ASSERT(x == y);
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
