// Three threads, one plain store each.
// model: T0 = create:1 create:2 create:3 exit
// model: T1 = write
// model: T2 = write
// model: T3 = write
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=5775
// expect: race ~ `x`
#include <pthread.h>

int x;

static void *store(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, store, NULL);
    pthread_create(&a, NULL, store, NULL);
    pthread_create(&a, NULL, store, NULL);
    return 0;
}
