// One signal for two waiters that main joins: always a deadlock, whoever is woken.
// model: T0 = create:1 create:2 signal:c read join:1 read join:2 exit
// model: T1 = lock:m wait:c:m unlock:m
// model: T2 = lock:m wait:c:m unlock:m
// teasel: strategies=dfs runs=1000000 flags=--keep-going
// expect: deadlock
// expect: executions dfs=2138
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
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_cond_signal(&c);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
