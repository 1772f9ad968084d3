// Thesis, Fig. 2.3: two paths that differ, whatever the threads do.
// teasel: strategies=optimal,source,dpor-cr-sleep flags=--solver-check
// expect: complete
// expect: executions optimal=2
// expect: paths count=2
#include <pthread.h>
#include <teasel.h>

int x, y, z;

static void *first(void *arg) {
    if (z == 100)
        x = 4;
    else
        x = 5;
    return arg;
}

static void *second(void *arg) {
    y = 2;
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
