// A spin lock counts as a lock: who would spin is blocked.
// model: T0 = mutex-init create:1 create:2 exit
// model: T1 = spin-lock:m rmw unlock:m
// model: T2 = rmw spin-lock:m unlock:m
// teasel: strategies=dfs runs=1000000
// expect: complete
// expect: executions dfs=192
#include <pthread.h>

static pthread_spinlock_t m;
static _Atomic int x;

static void *one(void *arg) {
    pthread_spin_lock(&m);
    x++;
    pthread_spin_unlock(&m);
    return arg;
}

static void *two(void *arg) {
    x++;
    pthread_spin_lock(&m);
    pthread_spin_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&m, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&a, NULL, two, NULL);
    return 0;
}
