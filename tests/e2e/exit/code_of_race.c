// The status says who was first; it is main's, or that of a thread that is in its way.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs flags=--fail-on-exit runs=100000
// expect: exit
#include <pthread.h>
#include <stdlib.h>

static _Atomic int x;

static void *set(void *arg) {
    x = 1;
    return arg;
}

static void *leave(void *arg) {
    (void)arg;
    exit(x ? 3 : 0);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, leave, NULL);
    pthread_join(b, NULL);
    return 0;
}
