// Polling: with sched_yield, with usleep, with nanosleep whose argument is made in the loop.
// teasel: strategies=optimal,dfs,dpor,random runs=300000
// expect: clean on=random
// expect: complete on=optimal,dfs,dpor
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int stage;

static void *waits(void *arg) {
    (void)arg;
    while (atomic_load(&stage) < 1)
        sched_yield();
    while (atomic_load(&stage) < 2)
        usleep(100);
    while (atomic_load(&stage) < 3)
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    for (int i = 1; i <= 3; i++)
        atomic_store(&stage, i);
    pthread_join(t, NULL);
    return 0;
}
