// Two threads, 3 stores each, and nobody waits for them: the process ends when they have.
// model: T0 = create:1 create:2 exit
// model: T1 = atomic-write atomic-write atomic-write
// model: T2 = atomic-write atomic-write atomic-write
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=462
#include <pthread.h>

static _Atomic int x;

static void *stores(void *arg) {
    x = 1;
    x = 2;
    x = 3;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, stores, NULL);
    pthread_create(&b, NULL, stores, NULL);
    return 0;
}
