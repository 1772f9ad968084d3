// Three threads at one variable.  In any order, the first and the last have the second between
// them; but nothing orders them, so one run is enough to find all three pairs.
// teasel: strategies=random runs=1
// expect: race at=BUG
// expect: races count=3
#include <pthread.h>

static int x, seen;

static void *one(void *arg) {
    x = 1; // BUG
    return arg;
}

static void *two(void *arg) {
    x = 2; // BUG
    return arg;
}

static void *three(void *arg) {
    seen = x; // BUG
    return arg;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_create(&threads[2], NULL, three, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
