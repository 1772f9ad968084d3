// Thesis, Fig. 2.4: with the assertions in, there are eight traces.
// teasel: strategies=optimal flags=--solver-check,--keep-going
// expect: assertion at=BUG
// expect: race ~ `x`
// expect: race ~ `y`
// expect: traces count=8
// expect: paths count=2
#include <pthread.h>
#include <teasel.h>

int x, y, z;

static void *first(void *arg) {
    if (z == 100) {
        x = 4;
        TEASEL_ASSERT(x >= y);
    } else {
        x = 5;
        TEASEL_ASSERT(x >= y);
    }
    return arg;
}

static void *second(void *arg) {
    y = 2;
    TEASEL_ASSERT(x >= y); // BUG
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
