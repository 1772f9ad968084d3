// Yielding and sleeping are steps like any other: time orders nothing.
// model: T0 = create:1 create:2 sleep exit
// model: T1 = yield write
// model: T2 = sleep write yield
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=1980
// expect: race ~ `x`
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

int x;

static void *one(void *arg) {
    sched_yield();
    x = 1;
    return arg;
}

static void *two(void *arg) {
    usleep(100);
    x = 2;
    sched_yield();
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&a, NULL, two, NULL);
    sleep(1);
    return 0;
}
