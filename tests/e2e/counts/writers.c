// Two threads, one atomic store each.
// model: T0 = +1 +2 a =1 b =2
// model: T1 = x
// model: T2 = x
// teasel: strategies=dfs runs=100000
// expect: complete
// expect: executions dfs=594
#include <pthread.h>

static _Atomic int x;

static void *store(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, store, NULL);
    pthread_create(&b, NULL, store, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
