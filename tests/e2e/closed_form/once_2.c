// Two threads, one routine: the other waits while it runs, or finds it done.
// model: T0 = create:1 create:2 exit
// model: T1 = once:o/2 write once-done:o read
// model: T2 = once:o/2 write once-done:o read
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=246
#include <pthread.h>

static pthread_once_t o = PTHREAD_ONCE_INIT;
int x;

static void routine(void) { x = 1; }

static void *use(void *arg) {
    pthread_once(&o, routine);
    return x ? arg : NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&a, NULL, use, NULL);
    return 0;
}
