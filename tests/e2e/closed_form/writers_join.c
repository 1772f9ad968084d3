// Two threads, one store each, joined by main, which reads their names first: those reads are
// steps, because the variables were handed to pthread_create.
// model: T0 = create:1 create:2 read join:1 read join:2 exit
// model: T1 = atomic-write
// model: T2 = atomic-write
// teasel: strategies=dfs runs=1000000
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
