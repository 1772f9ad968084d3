// Two threads that call exit, and main that returns: the process ends once, when nobody else
// can go on, and any of the three may be the one that ends it.
// model: T0 = create:1 create:2 exit
// model: T1 = write exit
// model: T2 = write exit
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=30
// expect: race ~ `x`
#include <pthread.h>
#include <stdlib.h>

int x;

static void *leave(void *arg) {
    x = 1;
    exit(0);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, leave, NULL);
    pthread_create(&a, NULL, leave, NULL);
    return 0;
}
