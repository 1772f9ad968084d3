// Main leaves by pthread_exit: its end is a step, and the process ends with the last thread.
// model: T0 = create:1 create:2 end
// model: T1 = write
// model: T2 = write
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=224
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
    pthread_exit(NULL);
}
