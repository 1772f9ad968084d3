// A timed wait gives up at any moment until it is signalled, then takes the mutex again.
// model: T0 = create:1 lock:m signal:c unlock:m read join:1 exit
// model: T1 = lock:m timedwait:c:m unlock:m
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=46
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
    static const struct timespec until = {.tv_sec = 1800000000};
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &until);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    return 0;
}
