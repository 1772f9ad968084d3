// Two threads add without a lock: reads and writes of one line race, told once.
// teasel: strategies=optimal,dfs,random runs=2000
// expect: race at=BUG ~ of `counter` by T
// expect: races count=1
// expect: complete on=optimal
#include <pthread.h>
#include <stddef.h>

static int counter;

static void *add(void *arg) {
    counter = counter + 1; // BUG
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
