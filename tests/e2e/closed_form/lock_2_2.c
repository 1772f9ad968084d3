// single lock(2, 2): two threads, two critical sections each, nothing inside.
// model: T0 = create:1 create:2 exit
// model: T1 = lock:m unlock:m lock:m unlock:m
// model: T2 = lock:m unlock:m lock:m unlock:m
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=296
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *sections(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, sections, NULL);
    pthread_create(&a, NULL, sections, NULL);
    return 0;
}
