// One thread against main.
// model: T0 = +1 x x a =1
// model: T1 = x x
// teasel: strategies=dfs runs=100000
// expect: complete
// expect: executions dfs=35
#include <pthread.h>

static _Atomic int x;

static void *twice(void *arg) {
    x = 1;
    x = 2;
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, twice, NULL);
    x = 3;
    x = 4;
    pthread_join(a, NULL);
    return 0;
}
