// A broadcast that may come too early: then main waits for ever.
// model: T0 = create:1 lock:m broadcast:c unlock:m read join:1 exit
// model: T1 = lock:m wait:c:m unlock:m
// teasel: strategies=dfs runs=1000000 flags=--keep-going
// expect: deadlock
// expect: executions dfs=17
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
    pthread_mutex_lock(&m);
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    return 0;
}
