// Two threads, 1 store each, and nobody waits for them: the process ends when they have.
// model: T0 = create:1 create:2 exit
// model: T1 = atomic-write
// model: T2 = atomic-write
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=35
#include <pthread.h>

static _Atomic int x;

static void *stores(void *arg) {
    x = 1;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, stores, NULL);
    pthread_create(&b, NULL, stores, NULL);
    return 0;
}
