// The flag is set for a moment only: who does not look then waits for ever.
// teasel: strategies=optimal,dfs,dpor,random runs=2000
// expect: livelock at=BUG
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void *waits(void *arg) {
    (void)arg;
    while (!atomic_load(&flag)) // BUG
        sched_yield();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    atomic_store(&flag, 1);
    atomic_store(&flag, 0);
    pthread_join(t, NULL);
    return 0;
}
