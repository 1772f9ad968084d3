// The racy access is only reached if the main thread was faster: not in the first run.
// teasel: strategies=optimal,dfs,random runs=3000
// expect: race at=BUG ~ `result`
// expect: races count=1
// expect: complete on=optimal,dfs
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int turn;
static int result;

static void *late(void *arg) {
    if (atomic_exchange(&turn, 1) == 2)
        result = 1; // BUG
    return arg;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, late, NULL);
    int before = atomic_exchange(&turn, 2);
    if (before == 0)
        result = 2; // BUG
    pthread_join(a, NULL);
    return 0;
}
