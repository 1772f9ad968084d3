// Thesis, Fig. 2.2: one input, two threads; reached in at most four runs.
// teasel: strategies=optimal flags=--solver-check
// expect: assertion at=BUG
// expect: race ~ `x`
// expect: found within=4
#include <pthread.h>
#include <teasel.h>

int x, z;

static void *first(void *arg) {
    x = 3;
    return arg;
}

static void *second(void *arg) {
    x = 2;
    if (2 * z + 1 == x)
        TEASEL_ASSERT(0); // BUG
    return arg;
}

int main(void) {
    pthread_t a, b;
    TEASEL_INPUT(z);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
