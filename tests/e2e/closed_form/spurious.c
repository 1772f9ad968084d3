// With --spurious a plain wait may wake up for no reason, so nobody waits for ever.
// model: T0 = create:1 create:2 signal:c read join:1 exit
// model: T1 = lock:m timedwait:c:m unlock:m
// model: T2 = lock:m unlock:m
// teasel: strategies=dfs runs=1000000 flags=--spurious
// expect: complete
// expect: executions dfs=26278
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}

static void *other(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_cond_signal(&c);
    pthread_join(a, NULL);
    return 0;
}
