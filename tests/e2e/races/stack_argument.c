// The creator changes the variable whose address it gave to the thread.
// Then both threads may write the same element.
// teasel: strategies=optimal,random runs=2000
// expect: race at=BUG ~ stack of T0
// expect: race at=BUG_SUM ~ `sum
// expect: races count=2
// expect: complete on=optimal
#include <pthread.h>
#include <stddef.h>

static int sum[3];

static void *work(void *arg) {
    int number = *(int *)arg; // BUG
    sum[number] = 1;          // BUG_SUM
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int i = 0;
    pthread_create(&t[0], NULL, work, &i);
    i = 1; // BUG
    pthread_create(&t[1], NULL, work, &i);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
