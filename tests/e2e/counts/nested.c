// A thread that makes a thread.
// model: T0 = +1 x a =1
// model: T1 = +2 x b =2
// model: T2 = x
// teasel: strategies=dfs runs=100000
// expect: complete
// expect: executions dfs=550
#include <pthread.h>

static _Atomic int x;

static void *inner(void *arg) {
    x = 1;
    return arg;
}

static void *outer(void *arg) {
    pthread_t b;
    pthread_create(&b, NULL, inner, NULL);
    x = 2;
    pthread_join(b, NULL);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, outer, NULL);
    x = 3;
    pthread_join(a, NULL);
    return 0;
}
