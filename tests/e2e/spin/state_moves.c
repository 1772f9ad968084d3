// Rounds that only read but are not the same: a value goes from one to the next, in a local variable,
// in an array nobody else can reach, in a caller's variable, and by a clock.
// teasel: strategies=optimal,dfs,random runs=1000
// expect: complete on=optimal,dfs
// expect: clean
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static int once(int n) { // goes round exactly once
    int k = 0;
    while (!atomic_load(&flag) && k == 0)
        k = n;
    return k;
}

static void *works(void *arg) {
    (void)arg;
    unsigned hash = 7;
    while (!atomic_load(&flag) && hash % 100 != 3)
        hash = hash * 5 + 1;
    int seen[4] = {0}, at = 0;
    while (!atomic_load(&flag) && seen[3] == 0) {
        seen[at] = 1;
        at = seen[0] + seen[1] + seen[2];
    }
    for (int i = 1; i < 5; i++)
        once(i);
    struct timespec now;
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (!atomic_load(&flag) && now.tv_nsec % 3000 != 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, works, NULL);
    pthread_join(t, NULL);
    assert(!flag);
    return 0;
}
