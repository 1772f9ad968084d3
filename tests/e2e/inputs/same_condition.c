// Two threads decide the same: each for itself, whoever comes first.
// teasel: strategies=optimal,source,dpor-cr-sleep,dfs flags=--solver-check runs=20000
// expect: complete
// expect: traces count=3
// expect: paths count=2
// expect: mispredicted count=0
#include <pthread.h>
#include <stdatomic.h>
#include <teasel.h>

static int x;
static atomic_int count;

static void *worker(void *arg) {
    if (x == 3)
        atomic_fetch_add(&count, 1);
    return arg;
}

int main(void) {
    pthread_t a, b;
    TEASEL_INPUT(x);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
