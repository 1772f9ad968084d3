// A barrier of two, twice, with an access between.
// model: T0 = barrier-init:b=2 create:1 create:2 exit
// model: T1 = barrier:b write barrier:b
// model: T2 = barrier:b write barrier:b
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=1200
// expect: race ~ `x`
#include <pthread.h>

static pthread_barrier_t b;
int x;

static void *meet(void *arg) {
    pthread_barrier_wait(&b);
    x = 1;
    pthread_barrier_wait(&b);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&a, NULL, meet, NULL);
    pthread_create(&a, NULL, meet, NULL);
    return 0;
}
