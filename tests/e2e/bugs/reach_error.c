// reach_error(), as programs of software verification competitions have it.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
// expect: race ~ `x`|`y`
#include <assert.h>
#include <pthread.h>

void reach_error(void) { assert(0); } // BUG

static int x, y;

static void *worker(void *arg) {
    x = 1;
    y = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    if (x == 1 && y == 0)
        reach_error(); // BUG
    pthread_join(thread, NULL);
    return 0;
}
