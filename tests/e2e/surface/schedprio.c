// The priority of a thread is set and asked for: both orders are tried.
// teasel: strategies=optimal,dfs native=no
// expect: executions optimal=2
#include <pthread.h>

static pthread_t first;

static void *look(void *arg) {
    int policy;
    struct sched_param is;
    pthread_getschedparam(first, &policy, &is);
    return arg;
}

int main(void) {
    pthread_t thread;
    first = pthread_self();
    pthread_create(&thread, NULL, look, NULL);
    pthread_setschedprio(first, 5);
    return pthread_join(thread, NULL);
}
