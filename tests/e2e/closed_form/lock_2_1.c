// single lock(2, 1): two threads, one critical section each, with one access inside.
// model: T0 = create:1 create:2 exit
// model: T1 = lock:m write unlock:m
// model: T2 = lock:m write unlock:m
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=112
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *section(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, section, NULL);
    pthread_create(&a, NULL, section, NULL);
    return 0;
}
