// What reads outside of a section sees it before one read and behind the other.
// teasel: strategies=optimal,source,dfs runs=30000 native=no
// expect: assertion at=BUG
// expect: race
#include <pthread.h>
#include <stdlib.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x[9 * 16];

void __VERIFIER_atomic_all(void) {
    for (int i = 0; i < 9; i++)
        x[16 * i] = 1;
}

static void *one(void *arg) {
    __VERIFIER_atomic_all();
    return arg;
}

static void *two(void *arg) {
    int first = x[0], last = x[16 * 8];
    TEASEL_ASSERT(first == last); // BUG
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
