// A section may access more than a step keeps.
// teasel: strategies=optimal,source native=no
// expect: race
#include <pthread.h>
#include <stdlib.h>
#include <teasel.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static struct { _Alignas(64) int n; } many[12];

void __VERIFIER_atomic_all(void) {
    for (int i = 0; i < 12; i++)
        many[i].n++;
}

static void *one(void *arg) {
    __VERIFIER_atomic_all();
    return arg;
}

static void *two(void *arg) {
    int last = many[11].n, first = many[0].n;
    TEASEL_ASSERT(first >= last);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    TEASEL_ASSERT(many[5].n == 1);
    return 0;
}
