// philosophers(2): each takes its own fork, then the other's.
// model: T0 = create:1 create:2 read join:1 read join:2 exit
// model: T1 = lock:p lock:q unlock:q unlock:p
// model: T2 = lock:q lock:p unlock:p unlock:q
// teasel: strategies=dfs runs=1000000 flags=--keep-going
// expect: deadlock
// expect: executions dfs=17930
#include <pthread.h>

static pthread_mutex_t p = PTHREAD_MUTEX_INITIALIZER, q = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
    pthread_mutex_lock(&p);
    pthread_mutex_lock(&q);
    pthread_mutex_unlock(&q);
    pthread_mutex_unlock(&p);
    return arg;
}

static void *two(void *arg) {
    pthread_mutex_lock(&q);
    pthread_mutex_lock(&p);
    pthread_mutex_unlock(&p);
    pthread_mutex_unlock(&q);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
