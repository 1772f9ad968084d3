// The unfolding paper's Fig. 6: the third run there, the fourth at most here.
// teasel: strategies=optimal flags=--solver-check
// expect: assertion at=BUG
// expect: race ~ `x`
// expect: found within=4
#include <pthread.h>
#include <teasel.h>

int x;

static void *first(void *arg) {
    int a = x;
    if (a > 0)
        TEASEL_ASSERT(0); // BUG
    return arg;
}

static void *second(void *arg) {
    int b = x;
    if (b == 0)
        x = teasel_int("input");
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
