// One signal for two waiters: when both wait, whom it wakes is a choice.  Whoever is not woken
// waits for ever, and main ends the process over it.
// model: T0 = create:1 create:2 signal:c exit
// model: T1 = lock:m wait:c:m unlock:m
// model: T2 = lock:m wait:c:m unlock:m
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=204
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
    return 0;
}
