// Two increments, one lost.
// teasel: strategies=random,dfs runs=2000
// expect: assertion at=BUG
// expect: race ~ `counter`
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    counter++;
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); // BUG
    return 0;
}
