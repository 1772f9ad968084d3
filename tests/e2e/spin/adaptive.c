// Loops that yield every few rounds: they come back to the same state after some.
// teasel: strategies=optimal,source,dpor,random runs=300000
// expect: clean on=random
// expect: complete on=optimal,source,dpor
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int flag;

static void relax(int *rounds) { // its variable lies on the caller's stack
    if (++*rounds == 3) {
        usleep(10);
        *rounds = 0;
    }
}

static void *waits(void *arg) {
    (void)arg;
    int n = 0;
    while (atomic_load(&flag) < 1)
        if (++n == 4) {
            sched_yield();
            n = 0;
        }
    int rounds = 0;
    while (atomic_load(&flag) < 2)
        relax(&rounds);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    atomic_store(&flag, 1);
    atomic_store(&flag, 2);
    pthread_join(t, NULL);
    return 0;
}
