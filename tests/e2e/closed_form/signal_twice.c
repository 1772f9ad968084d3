// Two signals for two waiters: the second one has no choice left.
// model: T0 = create:1 create:2 signal:c signal:c exit
// model: T1 = lock:m wait:c:m unlock:m
// model: T2 = lock:m wait:c:m unlock:m
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=2379
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_cond_signal(&c);
    pthread_cond_signal(&c);
    return 0;
}
