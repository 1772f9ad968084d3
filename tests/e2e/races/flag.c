// A plain flag says that the data is there.  The flag races.  The data is only read when
// the flag was seen, so its two accesses never stand next to each other.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: race at=BUG_FLAG ~ `ready`
// expect: races count=1
#include <pthread.h>
#include <stddef.h>

static int data, ready;

static void *producer(void *arg) {
    data = 42;
    ready = 1; // BUG_FLAG
    return arg;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_create(&a, NULL, producer, NULL);
    if (ready) // BUG_FLAG
        seen = data;
    pthread_join(a, NULL);
    return seen != 0 && seen != 42;
}
