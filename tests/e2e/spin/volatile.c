// A plain volatile flag: it works, and it is a data race.
// teasel: strategies=optimal,dfs,dpor,random runs=2000
// expect: race at=BUG
// expect: complete on=optimal,dfs,dpor
#include <assert.h>
#include <pthread.h>

static volatile int flag;
static int seen;

static void *waits(void *arg) {
    (void)arg;
    while (!flag) // BUG
        ;
    seen = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waits, NULL);
    flag = 1; // BUG
    pthread_join(t, NULL);
    assert(seen);
    return 0;
}
